/* Lists and queues of queue.h: jobs that wait. */
#include <stdlib.h>
#include <bsd/sys/queue.h>

struct job {
    int size;
    TAILQ_ENTRY(job) link;
};

TAILQ_HEAD(jobs, job);

/* Adds a job: small ones in front. */
int add_job(struct jobs *jobs, int size) {
    if (jobs == NULL || size < 0) {
        return 0;
    }
    struct job *job = malloc(sizeof *job);
    if (job == NULL) {
        return 0;
    }
    job->size = size;
    if (size < 10) {
        TAILQ_INSERT_HEAD(jobs, job, link);
    } else {
        TAILQ_INSERT_TAIL(jobs, job, link);
    }
    return 1;
}

/* Runs three jobs, and returns the size of the first that is left. */
int run_jobs(int a, int b, int c) {
    struct jobs jobs = TAILQ_HEAD_INITIALIZER(jobs);
    int first = -1;
    add_job(&jobs, a);
    add_job(&jobs, b);
    add_job(&jobs, c);
    while (!TAILQ_EMPTY(&jobs)) {
        struct job *job = TAILQ_FIRST(&jobs);
        if (first < 0) {
            first = job->size;
        }
        TAILQ_REMOVE(&jobs, job, link);
        free(job);
    }
    return first;
}

/* The sum of the sizes of all jobs up to a limit. */
unsigned load(struct jobs *jobs, unsigned limit) {
    unsigned sum = 0;
    struct job *job;
    if (jobs == NULL) {
        return 0;
    }
    TAILQ_FOREACH(job, jobs, link) {
        if (job->size > 0) {
            sum += (unsigned)job->size;
        }
        if (sum > limit) {
            return limit;
        }
    }
    return sum;
}
