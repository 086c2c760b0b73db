import { readObjects } from '../../git/index.js';
import type { FileDiff, Repository } from '../../git/index.js';
import { getAttributes, partsOfWord } from '../../tenancy/projects/attributes.js';

/** What `.gitattributes` say of how a file differs, where they say something. */
export interface DiffAttributes {
  /** Whether its lines are compared: a file with `-diff` or `binary` counts as one without lines. */
  diff: boolean | undefined;
  /** Whether a tool wrote it. */
  generated: boolean | undefined;
}

/** Attributes of so many folders are read, those above first, and so many bytes of each. */
const MOST_FOLDERS = 500;
const MOST_BYTES = 64 * 1024;
/** Limits for matching on the API's main thread: some milliseconds. */
const BOUNDS = { rules: 200, steps: 3_000_000 };

function saying(word: string, attributes: Partial<DiffAttributes>): void {
  const { sign, name, value } = partsOfWord(word);
  const set = sign === '!' ? undefined : sign === '' && value !== 'false';
  if (name === 'diff') attributes.diff = set;
  // What git itself means by the word.
  if (name === 'binary' && sign === '') attributes.diff = false;
  if (name === 'linguist-generated') attributes.generated = set;
}

/** The folders that files lie in, those above first, each ending in a slash; the root is an empty text. */
function getFolders(files: readonly FileDiff[]): string[] {
  const folders = new Set(['']);
  for (const { newPath } of files)
    for (let end = newPath.indexOf('/'); end >= 0; end = newPath.indexOf('/', end + 1))
      folders.add(newPath.slice(0, end + 1));
  const depth = (folder: string) => folder.split('/').length;
  return [...folders]
    .filter((folder) => !/[\n\0]/.test(folder))
    .sort((one, other) => depth(one) - depth(other))
    .slice(0, MOST_FOLDERS);
}

/** The attributes of each of these files at a commit (full id). One process. */
export async function readDiffAttributes(
  repository: Repository,
  commit: string,
  files: readonly FileDiff[],
): Promise<(path: string) => Partial<DiffAttributes>> {
  if (files.length === 0) return () => ({});
  const paths = getFolders(files).map((folder) => `${folder}.gitattributes`);
  const objects = await readObjects(
    repository,
    paths.map((path) => `${commit}:${path}`),
    MOST_BYTES,
  );
  const found = objects.flatMap((object, index) =>
    object?.type === 'blob' ? [{ path: paths[index]!, text: object.content.toString('utf8') }] : [],
  );
  return getAttributes<DiffAttributes>(found, saying, BOUNDS);
}
