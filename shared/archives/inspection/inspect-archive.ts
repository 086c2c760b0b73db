import { createReadStream } from 'node:fs';
import type { ImportFailure } from '../archive-imports/failures.js';
import {
  ALL_GROUPS_FILE,
  contentBundles,
  entryKind,
  PROJECT_BUNDLE,
  PROJECT_FILE,
  VERSION_FILE,
} from '../format/layout.js';
import { ArchiveRejected } from '../read/archive-rejected.js';
import { readEntries } from '../read/entries.js';
import type { IncomingEntry } from '../read/entries.js';
import { quotedName } from '../read/entry-rules.js';
import type { CleanRow } from '../staging/clean-row.js';
import { archiveReaders } from '../staging/read-archive.js';
import type { SourceGroups } from '../staging/read-archive.js';
import type { ReadReport, RelationCounts, RowSink } from '../staging/read-relation.js';

/** The default size limit of an instance. */
const MAX_BYTES = 25_600 * 1024 * 1024;
/** Bytes of a bundle that are read: its list of refs. */
const MOST_HEADER = 4 * 1024 * 1024;
const MOST_VERSION = 100;

/** A bundle of an archive. */
interface InspectedBundle {
  readonly name: string;
  readonly bytes: number;
  /** `<id> <name>` of each ref; null if it is not a bundle. */
  readonly refs: readonly string[] | null;
}

/** The contents of an archive, apart from the rows of its relations. */
export interface InspectedArchive {
  readonly kind: 'group' | 'project';
  /** Of the layout; null where the archive does not say. */
  readonly version: string | null;
  readonly entries: number;
  /** Once decompressed. */
  readonly bytes: number;
  /** Of a project one, by the id 0. */
  readonly groups: SourceGroups;
  readonly bundles: readonly InspectedBundle[];
}

const open = (file: string, signal: AbortSignal) =>
  readEntries(createReadStream(file), { maxBytes: MAX_BYTES, signal });

/** The kind of an archive, by the first file that reveals it. @throws ArchiveRejected */
async function getKind(file: string, signal: AbortSignal): Promise<InspectedArchive['kind']> {
  for await (const { name } of open(file, signal)) {
    const kind = entryKind(name)?.kind ?? '';
    if (name === ALL_GROUPS_FILE || kind.startsWith('group')) return 'group';
    if (name === PROJECT_FILE || kind.startsWith('project')) return 'project';
  }
  throw new ArchiveRejected('The import file is incompatible');
}

/** The first bytes of an entry, as text. */
async function beginning(entry: IncomingEntry, most: number, until?: string): Promise<string> {
  let text = '';
  for await (const piece of entry.contents()) {
    text += piece.toString('latin1');
    if (text.length >= most || (until !== undefined && text.includes(until))) break;
  }
  return text.slice(0, most);
}

// Own pattern: a line of a bundle's header that names a ref.
const REF = /^[0-9a-f]{40} \S+$/;

async function bundleRefs(entry: IncomingEntry): Promise<string[] | null> {
  const text = await beginning(entry, MOST_HEADER, '\n\n');
  const [first = '', ...lines] = text.slice(0, Math.max(0, text.indexOf('\n\n'))).split('\n');
  if (!/^# v[23] git bundle$/.test(first)) return null;
  return lines.filter((line) => REF.test(line)).sort();
}

const isBundle = (name: string) =>
  name === PROJECT_BUNDLE || Object.values(contentBundles).some((bundleOf) => bundleOf(name) !== null);

/**
 * Reads an archive as an import does, without a database: the rows of its relations are passed to `sink`.
 * @param file its path
 * @throws ArchiveRejected for an archive that an import would reject, an error of the file system
 */
export async function readArchiveFile(
  file: string,
  sink: RowSink,
  report: ReadReport,
  signal: AbortSignal,
): Promise<InspectedArchive> {
  const kind = await getKind(file, signal);
  let version: string | null = null;
  let entries = 0;
  let bytes = 0;
  const bundles: InspectedBundle[] = [];
  async function* counted(): AsyncGenerator<IncomingEntry> {
    for await (const entry of open(file, signal)) {
      entries += 1;
      bytes += entry.size;
      if (entry.name === VERSION_FILE) version = (await beginning(entry, MOST_VERSION)).trim();
      if (isBundle(entry.name)) bundles.push({ name: entry.name, bytes: entry.size, refs: await bundleRefs(entry) });
      yield entry;
    }
  }
  const groups = await archiveReaders[kind](counted(), sink, report);
  bundles.sort((one, other) => (one.name < other.name ? -1 : 1));
  return { kind, version, entries, bytes, groups, bundles };
}

/** The path of each group of an archive below the exported one, by the ids that they had; of that itself it is empty. */
export function groupPaths({ ids, attributes }: SourceGroups): Map<number, string> {
  const paths = new Map<number, string>();
  for (const [position, id] of ids.entries()) {
    const { path, parent_id: parent } = (attributes.get(id) ?? {}) as CleanRow;
    const above = position === 0 ? null : paths.get(parent as number);
    const own = typeof path === 'string' ? path : String(id);
    if (above === null) paths.set(id, '');
    else paths.set(id, above === undefined ? `?/${own}` : above === '' ? own : `${above}/${own}`);
  }
  return paths;
}

const MOST_PROBLEMS = 100;
const MOST_GROUPS = 1000;

// Own pattern: control characters and signs that turn the direction of a text.
/** What comes from an archive, on one line and without signs that terminals obey. */
const plain = (text: string): string => text.replace(/\p{C}/gu, ' ');

const failureLine = ({ file, line, relation, reason }: ImportFailure): string =>
  plain(
    `  ${file ?? 'archive'}${line === null ? '' : `:${line}`}${relation === null ? '' : ` (${relation})`} ${reason}`,
  );

function groupLines({ groups }: InspectedArchive, counts: ReadonlyMap<number, Map<string, number>>): string[] {
  const paths = groupPaths(groups);
  const root = String(groups.attributes.get(groups.ids[0] as number)?.path ?? '?');
  const lines = groups.ids.slice(0, MOST_GROUPS).map((id) => {
    const below = paths.get(id) ?? '?';
    const summary = [...(counts.get(id) ?? [])].map(([relation, count]) => `${relation} ${count}`).join(', ');
    const missing = groups.attributes.has(id) ? '' : ' (without attributes)';
    return `  ${id} ${quotedName(below === '' ? root : `${root}/${below}`)}${missing}: ${summary === '' ? 'nothing' : summary}`;
  });
  const left = groups.ids.length - lines.length;
  return [`groups: ${groups.ids.length}`, ...lines, ...(left > 0 ? [`  and ${left} more`] : [])];
}

function bundleLines({ bundles }: InspectedArchive): string[] {
  const lines = bundles.map(({ name, bytes, refs }) => {
    const summary = refs === null ? 'NOT A BUNDLE' : `${refs.filter((ref) => !ref.endsWith(' HEAD')).length} refs`;
    return `  ${name}: ${bytes} bytes, ${summary}`;
  });
  return [`bundles: ${bundles.length}`, ...lines];
}

/**
 * The contents of an archive, as human-readable lines: kind, groups, relations, counts, sizes and problems, as an
 * import would read it; bundles are not unpacked.
 * @throws ArchiveRejected for an archive that an import would reject, an error of the file system
 */
export async function inspectArchive(file: string, signal: AbortSignal): Promise<string[]> {
  const relations: RelationCounts = new Map();
  const counts = new Map<number, Map<string, number>>();
  const problems: ImportFailure[] = [];
  let problemsCount = 0;
  const sink: RowSink = {
    add({ source_group: group, relation }) {
      const own = counts.get(group) ?? new Map<string, number>();
      counts.set(group, own.set(relation, (own.get(relation) ?? 0) + 1));
    },
  };
  const failed = (failure: ImportFailure) => {
    problemsCount += 1;
    if (problems.length < MOST_PROBLEMS) problems.push(failure);
  };
  const found = await readArchiveFile(file, sink, { counts: relations, failed }, signal);
  const left = problemsCount - problems.length;
  return [
    `archive of a ${found.kind}, layout ${plain(found.version ?? 'unknown')}`,
    `entries: ${found.entries}, ${found.bytes} bytes once decompressed`,
    ...(found.kind === 'group' ? groupLines(found, counts) : []),
    `relations: ${relations.size}`,
    ...[...relations].map(
      ([relation, { total, skipped }]) => `  ${relation}: ${total}${skipped > 0 ? `, ${skipped} left out` : ''}`,
    ),
    ...bundleLines(found),
    `problems: ${problemsCount}`,
    ...problems.map(failureLine),
    ...(left > 0 ? [`  and ${left} more`] : []),
  ];
}
