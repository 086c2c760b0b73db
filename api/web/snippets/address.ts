import { pageOf } from '../containers/address.js';

/** Where the snippets of a project are, or one's own for null, or one of them by its id, or the form of another one. */
export function snippetsOf(project: string | null, snippet?: number | 'new'): string {
  const rest = snippet === undefined ? 'snippets' : `snippets/${snippet}`;
  return project === null ? `/-/${rest}` : pageOf({ kind: 'project', path: project }, rest);
}
