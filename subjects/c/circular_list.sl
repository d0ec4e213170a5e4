// Tasks from `p` on up to the head, each linked to the one before it.
pred tasks(p, before, head, last) :=
    emp & p = head & before = last
  | exists next, task, priority, ticks.
    p -> task.link(next: next, prev: before, outer: task)
    * task -> task(priority: priority, ticks: ticks, link: p)
    * tasks(next, p, head, last);

pred whole(head) := exists first, last. head -> list_head(next: first, prev: last) * tasks(first, head, head, last);

pre task_count(head) := whole(head);
pre task_first(head) := whole(head);
pre task_add(head, priority) := whole(head);
pre task_expire(head, limit) := whole(head);
