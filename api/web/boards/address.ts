import { pageOf } from '../containers/address.js';
import type { Container } from '../containers/address.js';

/** Where the boards of a project or group are, or one of them by its id. */
export const boardsOf = (of: Container, board?: number): string =>
  pageOf(of, board === undefined ? 'boards' : `boards/${board}`);
