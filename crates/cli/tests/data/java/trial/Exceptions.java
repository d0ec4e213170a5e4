package trial;

import java.io.IOException;

/** Exceptions as inputs. */
public class Exceptions {
    static class Failure extends RuntimeException {
        int code;
        Failure next;

        Failure(String message) {
            super(message);
        }
    }

    static class Silent extends Exception {
    }

    static class Log {
        Throwable last;
        int failures;
    }

    static String message(Exception exception) {
        if (exception.getMessage() == null) {
            return "none";
        }
        return exception.getMessage().isEmpty() ? "empty" : "some";
    }

    static int handle(Exception exception) {
        try {
            throw exception;
        } catch (IOException e) {
            return 1;
        } catch (IllegalStateException e) {
            return 2;
        } catch (RuntimeException e) {
            return e.getCause() == null ? 3 : 4;
        } catch (Exception e) {
            return 5;
        }
    }

    static boolean record(Log log, Throwable thrown) {
        if (thrown instanceof Silent) {
            return false;
        }
        log.failures++;
        if (log.last == thrown) {
            return false;
        }
        log.last = thrown;
        return true;
    }

    static int total(Failure failure) throws Failure {
        if (failure.code < 0) {
            throw failure;
        }
        return failure.next == null ? failure.code : failure.code + failure.next.code;
    }
}
