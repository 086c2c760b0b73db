import { CapstanError } from '../../shared/core/values/errors.js';

/** The body's media type is none that this API reads: 415. */
export class UnsupportedType extends CapstanError {
  constructor(type: string) {
    super(`The provided content-type '${type}' is not supported.`);
  }
}

/** No route matches: 404 with the key `error`. */
export class NoSuchRoute extends CapstanError {
  constructor() {
    super('404 Not Found');
  }
}

/** The path exists, with other methods: 405 and `Allow`. */
export class WrongMethod extends CapstanError {
  constructor(readonly allowed: readonly string[]) {
    super('405 Not Allowed');
  }
}

/** The URL is longer than this API reads: 414 (contract decision 20). */
export class UrlTooLong extends CapstanError {
  constructor() {
    super('414 Request-URI Too Large');
  }
}

/** The client disconnected before its request was complete; the response cannot be delivered. */
export class ConnectionLost extends CapstanError {
  constructor() {
    super('400 Bad Request');
  }
}

/** The body stopped coming, or comes too slowly: 408, and the connection ends. */
export class BodyTooSlow extends CapstanError {
  constructor() {
    super('408 Request Timeout');
  }
}
