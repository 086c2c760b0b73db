import { createHash } from 'node:crypto';
import { ArchiveRejected } from '../read/archive-rejected.js';
import { quotedName } from '../read/entry-rules.js';
import type { CleanRow } from '../staging/clean-row.js';
import type { StagedRow } from '../staging/read-relation.js';
import { groupPaths, readArchiveFile } from './inspect-archive.js';
import type { InspectedArchive } from './inspect-archive.js';

const MAX_LISTED = 20;
const MOST_CHARACTERS = 80;

/** What another server, or another export, has of its own: ids, and times at which something was done. */
const isOwn = (key: string): boolean => key === 'id' || key.endsWith('_id') || key.endsWith('_at') || key === 'avatar';

/** A value without server-specific fields, with sorted keys. */
function comparable(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(comparable);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).filter(([key]) => !isOwn(key));
  return Object.fromEntries(entries.sort(([a], [b]) => (a < b ? -1 : 1)).map(([key, one]) => [key, comparable(one)]));
}

/** The title of a row in a report. */
const getTitle = (data: CleanRow): string => {
  const { title, name, username, ref } = { ...data, ...(data.user as CleanRow | null) } as Record<string, unknown>;
  return quotedName(String(title ?? name ?? username ?? ref ?? 'an object'));
};

/** Rows by what they are: how often, and what they are called. */
type Rows = Map<string, { count: number; title: string }>;

interface Readable {
  readonly archive: InspectedArchive;
  /** By path of the group and relation. */
  readonly rows: ReadonlyMap<string, Rows>;
}

/** Reads an archive, storing only a digest and a title of each row. */
async function read(file: string, signal: AbortSignal): Promise<Readable> {
  const found = new Map<number, Map<string, Rows>>();
  const add = ({ source_group: group, relation, data }: StagedRow) => {
    const ofGroup = found.get(group) ?? new Map<string, Rows>();
    found.set(group, ofGroup);
    const rows = ofGroup.get(relation) ?? new Map<string, { count: number; title: string }>();
    ofGroup.set(relation, rows);
    const digest = createHash('sha256')
      .update(JSON.stringify(comparable(data)))
      .digest('base64');
    const row = rows.get(digest);
    if (row) row.count += 1;
    else rows.set(digest, { count: 1, title: getTitle(data) });
  };
  const report = { counts: new Map(), failed: () => {} };
  const archive = await readArchiveFile(file, { add }, report, signal);
  const paths = groupPaths(archive.groups);
  const rowsByPath = [...found].flatMap(([group, relations]) =>
    [...relations].map(([relation, rows]) => {
      const path = paths.get(group) ?? `?/${group}`;
      return [path === '' ? relation : `${path}/${relation}`, rows] as const;
    }),
  );
  return { archive, rows: new Map(rowsByPath) };
}

/** Rows of one that the other has not, with their sign before them. */
function missing(sign: string, rows: Rows, other: Rows): string[] {
  return [...rows].flatMap(([digest, { count, title }]) => {
    const more = count - (other.get(digest)?.count ?? 0);
    return more > 0 ? [`  ${sign} ${title}${more > 1 ? ` (${more} times)` : ''}`] : [];
  });
}

/** JSON shortened to fit on a line. */
const cutText = (json: string): string => (json.length > MOST_CHARACTERS ? `${json.slice(0, MOST_CHARACTERS)}…` : json);

const cut = (lines: string[]): string[] =>
  lines.length <= MAX_LISTED ? lines : [...lines.slice(0, MAX_LISTED), `  and ${lines.length - MAX_LISTED} more`];

const none: Rows = new Map();

function diffRows(one: Readable, other: Readable): string[] {
  const names = [...new Set([...one.rows.keys(), ...other.rows.keys()])].sort();
  return names.flatMap((name) => {
    const [before, after] = [one.rows.get(name) ?? none, other.rows.get(name) ?? none];
    const lines = [...missing('-', before, after), ...missing('+', after, before)];
    return lines.length > 0 ? [`${quotedName(name)}:`, ...cut(lines)] : [];
  });
}

/** Attributes of groups, or of the project, of the same path. */
function diffAttributes(one: Readable, other: Readable): string[] {
  const attributesByPath = ({ archive: { groups } }: Readable) => {
    const paths = groupPaths(groups);
    return new Map(groups.ids.map((id) => [paths.get(id) ?? '', groups.attributes.get(id) ?? {}] as const));
  };
  const [before, after] = [attributesByPath(one), attributesByPath(other)];
  return [...new Set([...before.keys(), ...after.keys()])].sort().flatMap((path) => {
    const [old, now] = [before.get(path), after.get(path)];
    const label = path === '' ? 'attributes' : quotedName(path);
    if (!old || !now) return [`${label}: only in the ${old ? 'first' : 'second'}`];
    const lines = Object.keys({ ...old, ...now })
      .filter((key) => !isOwn(key))
      .flatMap((key) => {
        const [was, is] = [old[key], now[key]].map((value) => JSON.stringify(comparable(value ?? null)));
        return was === is ? [] : [`  ${key}: ${cutText(was as string)} is ${cutText(is as string)}`];
      });
    return lines.length > 0 ? [`${label}:`, ...cut(lines)] : [];
  });
}

/**
 * Bundles are equal if their refs are, regardless of their bytes; the names of group and snippet bundles differ by a
 * number.
 */
function diffBundles(one: Readable, other: Readable): string[] {
  const getRefs = ({ archive }: Readable) =>
    archive.bundles.map(({ name, refs }) => `${name.replace(/\d+/, 'N')} ${(refs ?? ['no bundle']).join(', ')}`).sort();
  const [before, after] = [getRefs(one), getRefs(other)];
  const lines = [
    ...before.filter((bundle) => !after.includes(bundle)).map((bundle) => `  - ${quotedName(bundle)}`),
    ...after.filter((bundle) => !before.includes(bundle)).map((bundle) => `  + ${quotedName(bundle)}`),
  ];
  return lines.length > 0 ? ['bundles:', ...cut(lines)] : [];
}

/**
 * The differences between two archives, as human-readable lines; none if their contents are equal. Ids and times, which
 * are server-specific, are not compared, nor is the order of rows; groups are matched by their path below the exported
 * one. Memory grows with the number of rows, by about a hundred bytes each.
 * @throws ArchiveRejected for an archive that an import would reject, and for two archives of different kinds
 */
export async function diffArchives(first: string, second: string, signal: AbortSignal): Promise<string[]> {
  const [one, other] = [await read(first, signal), await read(second, signal)];
  if (one.archive.kind !== other.archive.kind)
    throw new ArchiveRejected(`One is of a ${one.archive.kind}, the other of a ${other.archive.kind}.`);
  return [...diffAttributes(one, other), ...diffRows(one, other), ...diffBundles(one, other)];
}
