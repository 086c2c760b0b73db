const hasteAfter = 1000;

/**
 * Listens for the wish to end: SIGINT, SIGTERM or SIGHUP, the end of npm, or that of the process that hands its signals on to us.
 */
export class StopRequest {
  constructor() {
    this.signal = null;
    this.code = 0;
    this.hasty = new Promise((resolve) => (this.hasten = resolve));
    this.made = new Promise((resolve) => (this.resolve = resolve));
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => this.receive(signal));
    process.once('disconnect', () => this.receive('SIGTERM'));
    this.watchNpm();
  }

  /** Ends the service from inside, with an exit code. */
  make(code) {
    if (this.signal) return;
    this.code = code;
    this.accept('SIGTERM');
  }

  /** Resolves with what the promise gives, or with undefined when the wish comes first. */
  orStop(promise) {
    return Promise.race([promise, this.made.then(() => undefined)]);
  }

  receive(signal) {
    if (!this.signal) this.accept(signal);
    // One Ctrl-C arrives twice below npm: from the terminal and from npm.
    else if (signal === 'SIGINT' && Date.now() - this.at > hasteAfter) this.hasten();
  }

  accept(signal) {
    this.signal = signal === 'SIGHUP' ? 'SIGTERM' : signal;
    this.at = Date.now();
    this.resolve();
  }

  /** A killed npm can't pass its end on; its script would run on unnoticed. */
  watchNpm() {
    if (!process.env.npm_lifecycle_event) return;
    const parent = process.ppid;
    const timer = setInterval(() => {
      if (process.ppid !== parent) this.receive('SIGTERM');
    }, 200);
    timer.unref();
  }
}
