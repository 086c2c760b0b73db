import { readDiffs } from '../../git/index.js';
import type { DiffPageOptions, DiffRange, FileDiff, Repository } from '../../git/index.js';
import { isGenerated } from '../../tenancy/projects/own-files.js';
import { withGitAnswers } from '../repositories/git-problems.js';
import { readDiffAttributes } from './diff-attributes.js';

/** A file's diff, as shared by all code that shows diffs. */
export interface AttributedDiff extends FileDiff {
  generated: boolean;
}

interface DiffPage {
  files: AttributedDiff[];
  /** Of all files that differ. */
  total: number;
  /** A file up to the end of the page has no hunks, because the whole diff is too large. */
  overflow: boolean;
}

const NOWHERE = '/dev/null';
const BINARY = 'Binary files ';

/** The two ends of a diff as git's headers name them. */
const getNames = ({ kind, oldPath, newPath }: FileDiff) => ({
  before: kind === 'added' ? NOWHERE : `a/${oldPath}`,
  after: kind === 'deleted' ? NOWHERE : `b/${newPath}`,
});

/** A file whose attributes exclude its lines from comparison. */
function asBinary(file: FileDiff): FileDiff {
  const { before, after } = getNames(file);
  const differs = file.text !== '' || file.tooLarge || file.collapsed;
  return {
    ...file,
    text: differs ? `${BINARY}${before} and ${after} differ\n` : '',
    tooLarge: false,
    collapsed: false,
  };
}

/**
 * The diff with a header that identifies its files, as tools such as `patch` expect it (`unidiff`,
 * delivery-resources.md section 6).
 */
export function asUnidiff<D extends FileDiff>(file: D): D {
  if (file.text === '' || file.text.startsWith(BINARY)) return file;
  const { before, after } = getNames(file);
  return { ...file, text: `--- ${before}\n+++ ${after}\n${file.text}` };
}

/**
 * How files differ from one commit or tree to a commit: what commits, comparisons and merge
 * requests show. Attributes count as of `to`. Two processes.
 * @throws NotFound "404 Commit Not Found"
 */
export async function readFileDiffs(
  repository: Repository,
  range: DiffRange,
  options: DiffPageOptions,
): Promise<DiffPage> {
  return withGitAnswers(async () => {
    const { files, total, overflow } = await readDiffs(repository, range, options);
    const attributes = await readDiffAttributes(repository, range.to, files);
    const attributedFiles = files.map((file) => {
      const { diff, generated } = attributes(file.newPath);
      return { ...(diff === false ? asBinary(file) : file), generated: generated ?? isGenerated(file.newPath) };
    });
    return { files: attributedFiles, total, overflow };
  });
}
