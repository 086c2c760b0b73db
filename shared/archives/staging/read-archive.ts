import type { ByContainer, ContainerKind } from '../../core/operations/container.js';
import type { ImportFailure } from '../archive-imports/failures.js';
import type { ArchiveRelation } from '../format/attributes.js';
import { groupAttributes, groupRelations } from '../format/group-relations.js';
import {
  ALL_GROUPS_FILE,
  contentBundles,
  entryKind,
  groupFile,
  groupRelationFile,
  NO_GROUP,
  PROJECT_FILE,
  projectRelationFile,
} from '../format/layout.js';
import { projectAttributes, projectRelations } from '../format/project-relations.js';
import { ArchiveRejected } from '../read/archive-rejected.js';
import type { IncomingEntry } from '../read/entries.js';
import { entryLines } from '../read/json-lines.js';
import { BadRow } from './clean-row.js';
import type { CleanRow } from './clean-row.js';
import { readAttributesOf, readRelation, stageBundle } from './read-relation.js';
import type { ReadReport, RowSink } from './read-relation.js';

/** What an archive contains about groups, or about its project, apart from their relations. */
export interface SourceGroups {
  /** In the order of the archive's list; the first is the exported group. A project is the only one, `NO_GROUP`. */
  ids: number[];
  attributes: Map<number, CleanRow>;
}

/** Reads an archive: the attributes of groups are returned, the rows of their relations go to `sink`. */
export type ArchiveReader = (
  entries: AsyncIterable<IncomingEntry>,
  sink: RowSink,
  report: ReadReport,
) => Promise<SourceGroups>;

/** Groups of one archive at most: as many as it may have entries. */
const MOST_GROUPS = 100_000;
const INCOMPATIBLE = 'The import file is incompatible';
const MAX_DESCRIPTION = 500;

const relationsOfGroups = new Map(groupRelations.map((relation) => [relation.name, relation]));
const relationsOfProjects = new Map(projectRelations.map((one) => [projectRelationFile(one.name), one]));

/** A file of a relation, with its group. */
interface RelationFile {
  readonly group: number;
  readonly relation: ArchiveRelation;
}

/** The relation whose file has this name; undefined for any other file. */
const relationFiles: ByContainer<(name: string) => RelationFile | undefined> = {
  group(name) {
    const kind = entryKind(name);
    if (kind?.kind !== 'group_relation') return undefined;
    const relation = relationsOfGroups.get(kind.relation);
    // A number may be written in several ways; one of them is the name.
    if (!relation || groupRelationFile(kind.group, kind.relation) !== name) return undefined;
    return { group: kind.group, relation };
  },
  project(name) {
    const relation = relationsOfProjects.get(name);
    return relation && { group: NO_GROUP, relation };
  },
};

/** Reads the rows of relations, and which wikis and snippets have bundles, and passes all other files on. */
async function* otherFiles(
  kind: ContainerKind,
  entries: AsyncIterable<IncomingEntry>,
  sink: RowSink,
  report: ReadReport,
): AsyncGenerator<IncomingEntry> {
  for await (const entry of entries) {
    const file = relationFiles[kind](entry.name);
    const bundle = contentBundles[kind](entry.name);
    if (file) await readRelation(entry, file.group, file.relation, sink, report);
    else if (bundle) await stageBundle(bundle, sink, report);
    else yield entry;
  }
}

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

/** The attributes of a group. Errors in them are reported, and the group is then not created. */
async function readGroupAttributes(
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
  // Groups here have the same limits, and the attributes of many groups are held in memory at once.
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

async function readGroups(
  entries: AsyncIterable<IncomingEntry>,
  sink: RowSink,
  report: ReadReport,
): Promise<SourceGroups> {
  let ids: number[] | null = null;
  const attributes = new Map<number, CleanRow>();
  for await (const entry of otherFiles('group', entries, sink, report)) {
    const kind = entryKind(entry.name);
    if (entry.name === ALL_GROUPS_FILE) ids = await readIds(entry);
    else if (kind?.kind === 'group' && groupFile(kind.group) === entry.name) {
      const found = await readGroupAttributes(entry, kind.group, report.failed);
      if (found !== null) attributes.set(kind.group, found);
    }
  }
  if (ids === null || ids.length === 0) throw new ArchiveRejected(INCOMPATIBLE, { file: ALL_GROUPS_FILE });
  return { ids, attributes };
}

/** Relations of the contract that there is nothing for here, by their files. */
const unsupported = new Map(
  ['releases']
    .filter((name) => projectRelations.every((relation) => relation.name !== name))
    .map((name) => [projectRelationFile(name), name]),
);

/** @throws ArchiveRejected for what are no attributes of a project */
async function readProjectAttributes(entry: IncomingEntry): Promise<CleanRow> {
  try {
    return await readAttributesOf(entry, projectAttributes);
  } catch (error) {
    if (!(error instanceof BadRow)) throw error;
    throw new ArchiveRejected(`${INCOMPATIBLE}: ${error.message}`, { file: entry.name });
  }
}

async function readProject(
  entries: AsyncIterable<IncomingEntry>,
  sink: RowSink,
  report: ReadReport,
): Promise<SourceGroups> {
  let attributes: CleanRow | null = null;
  for await (const entry of otherFiles('project', entries, sink, report)) {
    const relation = unsupported.get(entry.name);
    if (entry.name === PROJECT_FILE) attributes = await readProjectAttributes(entry);
    else if (relation !== undefined)
      report.failed({ file: entry.name, line: null, relation, reason: 'is not restored here' });
  }
  if (attributes === null) throw new ArchiveRejected(INCOMPATIBLE, { file: PROJECT_FILE });
  return { ids: [NO_GROUP], attributes: new Map([[NO_GROUP, attributes]]) };
}

/**
 * Readers of archives, whatever the order of their entries. Files and relations that are not known are passed over.
 * They throw `ArchiveRejected`.
 */
export const archiveReaders: ByContainer<ArchiveReader> = { group: readGroups, project: readProject };
