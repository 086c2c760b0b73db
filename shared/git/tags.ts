import { GitFailed, InvalidGitInput } from './errors.js';
import { identityLine, parseIdentityLine, type Identity, type StampedIdentity } from './identity.js';
import type { Repository } from './pools.js';
import { requireSha } from './object-ids.js';
import { readObjects, type ObjectType } from './objects.js';
import { cutText } from './output-records.js';
import { isValidTagName } from './ref-names.js';
import { runGitText } from './run.js';

export interface NewTag {
  /** Short: `v1.0`. */
  name: string;
  /** The full id of a commit. */
  target: string;
  message: string;
  tagger: Identity;
  at: Date;
}

/**
 * Writes an annotated tag's object and answers its id; the ref is the caller's, through updateRefs. Throws
 * InvalidGitInput for a bad name and for a target that is no commit.
 */
export async function createAnnotatedTag(repository: Repository, tag: NewTag): Promise<string> {
  if (!isValidTagName(tag.name)) throw new InvalidGitInput(`not a tag name: ${JSON.stringify(tag.name)}`);
  if (tag.message.includes('\0')) throw new InvalidGitInput('a tag message cannot hold a NUL');
  const header = [
    `object ${requireSha(tag.target)}`,
    'type commit',
    `tag ${tag.name}`,
    `tagger ${identityLine(tag.tagger, tag.at)}`,
  ];
  const message = tag.message === '' || tag.message.endsWith('\n') ? tag.message : `${tag.message}\n`;
  try {
    const input = `${header.join('\n')}\n\n${message}`;
    return (await runGitText(repository, ['mktag'], { input, pool: 'write' })).trim();
  } catch (error) {
    if (!(error instanceof GitFailed)) throw error;
    throw new InvalidGitInput(`git refused the tag: ${error.stderr.trim().slice(0, 300)}`);
  }
}

export interface Tag {
  /** Of the tag object. */
  sha: string;
  name: string;
  target: string;
  target_type: ObjectType;
  /** Null in some very old tags. */
  tagger: StampedIdentity | null;
  /** Without the line end that git closes it with. */
  message: string;
}

const KIB = 1024;
/** Bytes of a tag's message in a list, and of a single tag (decision 27). */
const LISTED_MESSAGE = 10 * KIB;
const WHOLE_MESSAGE = 1024 * KIB;
const longestHeader = 4 * KIB;

/**
 * Reads annotated tags by the ids of their objects, in one process; ids that are no tag are missing from the answer.
 * Long messages are cut, unless `whole` is set: then only beyond a mebibyte.
 */
export async function readTags(
  repository: Repository,
  shas: string[],
  { whole = false }: { whole?: boolean } = {},
): Promise<Map<string, Tag>> {
  const limit = whole ? WHOLE_MESSAGE : LISTED_MESSAGE;
  // Some more than the message: enough to see whether it is longer.
  const objects = await readObjects(repository, [...new Set(shas)].map(requireSha), longestHeader + limit + KIB);
  const tags = new Map<string, Tag>();
  for (const object of objects) {
    if (object?.type === 'tag') tags.set(object.sha, parseTag(object.sha, object.content, limit));
  }
  return tags;
}

function parseTag(sha: string, content: Buffer, limit: number): Tag {
  const end = content.indexOf('\n\n');
  const header = content.toString('utf8', 0, Math.min(end < 0 ? content.length : end, longestHeader));
  const message = end < 0 ? '' : cutText(content.subarray(end + 2), limit).replace(/\n$/, '');
  // Own pattern: keys of a tag's header.
  const value = (key: string): string => new RegExp(`^${key} (.*)$`, 'm').exec(header)?.[1] ?? '';
  return {
    sha,
    name: value('tag'),
    target: value('object'),
    target_type: value('type') as ObjectType,
    tagger: parseIdentityLine(value('tagger')),
    message,
  };
}
