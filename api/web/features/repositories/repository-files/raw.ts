import { encodeSegments } from '../../../app/routing/path-pattern.js';
import { isPictureName } from './content.js';

/** A ref of a repository, and a path at it; empty for its root. */
export interface RefPath {
  ref: string;
  file: string;
}

/** The file itself, as the API sends it. */
export const getRaw = (path: string, { ref, file }: RefPath): string =>
  `/api/v4/projects/${encodeURIComponent(path)}/repository/files/${encodeURIComponent(file)}/raw?${new URLSearchParams({ ref })}`;

/**
 * Where pictures are read that a text in a file shows by their addresses as seen from it; null for what browsers do not
 * draw of a repository.
 */
export const pictureFrom =
  (path: string, { ref, file }: RefPath) =>
  (address: string): string | null => {
    try {
      const picture = decodeURIComponent(new URL(address, `http://here/${encodeSegments(file)}`).pathname.slice(1));
      return isPictureName(picture) ? getRaw(path, { ref, file: picture }) : null;
    } catch {
      // Not an address at all.
      return null;
    }
  };
