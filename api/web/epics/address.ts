import { pageOf } from '../containers/address.js';

/** Where the epics of a group are, or one of them by its number, or its form, or the form of another one. */
export function epicsOf(path: string, epic?: number | 'new', edit = false): string {
  const one = epic === undefined ? '' : `/${epic}`;
  return pageOf({ kind: 'group', path }, `epics${one}${edit ? '/edit' : ''}`);
}
