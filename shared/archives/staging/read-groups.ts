import { groupContentBundle, ALL_GROUPS_FILE, entryKind, groupFile, groupRelationFile } from '../format/layout.js';
import { groupAttributes, groupRelations } from '../format/group-relations.js';
import type { ArchiveRelation } from '../format/attributes.js';
import type { ImportFailure } from '../archive-imports/failures.js';
import { ArchiveRejected } from '../read/archive-rejected.js';
import type { IncomingEntry } from '../read/entries.js';
import { entryLines } from '../read/json-lines.js';
import { BadRow } from './clean-row.js';
import type { CleanRow } from './clean-row.js';
import type { SourceGroups } from './stage-archive.js';
import { stageBundle, readAttributesOf, readRelation } from './read-relation.js';
import type { ReadReport } from './read-relation.js';
import type { RowSink } from './staged-rows.js';

/** Groups of one archive at most: as many as it may have entries. */
const MOST_GROUPS = 100_000;
const INCOMPATIBLE = 'The import file is incompatible';
const MAX_DESCRIPTION = 500;

const relations = new Map(groupRelations.map((relation) => [relation.name, relation]));

/** The ids of the list. @throws ArchiveRejected for anything but a list of ids */
async function readIds(entry: IncomingEntry): Promise<number[]> {
  const ids = new Set<number>();
  for await (const { line, text } of entryLines(entry)) {
    const digits = text !== undefined && text.length <= 16 ? text.toString('latin1').trim() : '';
    if (!/^[1-9]\d{0,14}$/.test(digits)) throw new ArchiveRejected(INCOMPATIBLE, { file: entry.name, line });
    ids.add(Number(digits));
    if (ids.size > MOST_GROUPS)
      throw new ArchiveRejected('The archive has too many groups.', { file: entry.name, line });
  }
  return [...ids];
}

/** The attributes of a group. What is wrong with them is reported, and the group is then not made. */
async function readAttributes(
  entry: IncomingEntry,
  id: number,
  failed: (failure: ImportFailure) => void,
): Promise<CleanRow | null> {
  const reject = (reason: string) => failed({ file: entry.name, line: null, relation: 'self', reason });
  let found: CleanRow;
  try {
    found = await readAttributesOf(entry, groupAttributes);
  } catch (error) {
    if (!(error instanceof BadRow)) throw error;
    reject(error.message);
    return null;
  }
  if (found.id !== id) {
    reject('id is not the one in the name of the file');
    return null;
  }
  // Groups may not say more of themselves, and many of them are kept in memory at once.
  const { name, path, description } = found as Record<string, string | null>;
  if (
    (description ?? '').length > MAX_DESCRIPTION ||
    (name ?? '').length > MAX_DESCRIPTION ||
    (path ?? '').length > MAX_DESCRIPTION
  ) {
    reject('has a name, path or description that is too long');
    return null;
  }
  return found;
}

/** The relation whose file this is, and of which group; undefined for any other file. */
function relationFile(entry: IncomingEntry): { group: number; relation: ArchiveRelation } | undefined {
  const kind = entryKind(entry.name);
  if (kind?.kind !== 'group_relation') return undefined;
  const relation = relations.get(kind.relation);
  // A number may be written in several ways; one of them is the name.
  if (!relation || groupRelationFile(kind.group, kind.relation) !== entry.name) return undefined;
  return { group: kind.group, relation };
}

/**
 * Reads an archive of a group, whatever the order of its entries: the attributes of groups are returned, the rows of their
 * relations go to `sink`, and which of them have wikis. Files and relations that are not known are passed over.
 * @throws ArchiveRejected
 */
export async function readGroups(
  entries: AsyncIterable<IncomingEntry>,
  sink: RowSink,
  report: ReadReport,
): Promise<SourceGroups> {
  let ids: number[] | null = null;
  const attributes = new Map<number, CleanRow>();
  for await (const entry of entries) {
    const kind = entryKind(entry.name);
    const file = relationFile(entry);
    const bundle = groupContentBundle(entry.name);
    if (entry.name === ALL_GROUPS_FILE) ids = await readIds(entry);
    else if (file) await readRelation(entry, file.group, file.relation, sink, report);
    else if (bundle) await stageBundle(bundle, sink, report);
    else if (kind?.kind === 'group' && groupFile(kind.group) === entry.name) {
      const found = await readAttributes(entry, kind.group, report.failed);
      if (found !== null) attributes.set(kind.group, found);
    }
  }
  if (ids === null || ids.length === 0) throw new ArchiveRejected(INCOMPATIBLE, { file: ALL_GROUPS_FILE });
  return { ids, attributes };
}
