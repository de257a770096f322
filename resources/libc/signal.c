/* Signals of one thread, as glibc has them: a handler stays until another one takes its place. */

typedef void (*signal_handler)(int);

signal_handler signal(int number, signal_handler handler)
{
    signal_handler before;
    if (number < 1 || number > 64 || number == 9 || number == 19) {
        errno = 22;
        return (signal_handler) -1;
    }
    before = signal_handlers[number];
    signal_handlers[number] = handler;
    return before;
}

int raise(int number)
{
    signal_handler handler;
    if (number < 0 || number > 64) {
        errno = 22;
        return -1;
    }
    handler = signal_handlers[number];
    if (handler == (signal_handler) 0) {
        if (number != 0 && number != 17 && number != 18 && number != 23 && number != 28) {
            signal_handlers[6] = (signal_handler) 0;
            abort();
        }
    } else if (handler != (signal_handler) 1) {
        handler(number);
    }
    return 0;
}
