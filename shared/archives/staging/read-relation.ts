import { setImmediate as nextTurn } from 'node:timers/promises';
import { Invalid, invalidSentences } from '../../core/values/errors.js';
import type { ArchiveAttributes, ArchiveRelation } from '../format/attributes.js';
import type { ContentBundle } from '../format/layout.js';
import { ArchiveRejected } from '../read/archive-rejected.js';
import type { IncomingEntry } from '../read/entries.js';
import { readJsonRows, wholeJson, isJsonObject, BadJson } from '../read/json-lines.js';
import type { JsonLine } from '../read/json-lines.js';
import type { ImportFailure } from '../archive-imports/failures.js';
import { BadRow, cleanRow } from './clean-row.js';
import type { CleanRow } from './clean-row.js';
import { projectRowRules } from './project-row-rules.js';
import { rowRules } from './row-rules.js';

/** How long a loop goes on before others get their turn, in milliseconds. */
const SLICE_MS = 10;

/** Shares the thread between a long loop, of which each step is short, and whatever else runs on it. */
class TimeSlices {
  #since = performance.now();

  /** To be called between two steps: lets others go first where this loop has had its time. */
  async take(): Promise<void> {
    if (performance.now() - this.#since < SLICE_MS) return;
    await nextTurn();
    this.#since = performance.now();
  }
}

/** An imported row of an archive. */
export interface StagedRow {
  /** The original id of its group; 0 for a project. */
  source_group: number;
  relation: string;
  line: number;
  data: CleanRow;
}

/** What takes over rows: the copy in the database, or, where nothing is to be touched, a count. */
export interface RowSink {
  add(row: StagedRow): Promise<void> | void;
}

/** The attribute that must be unique within a group or project. */
const UNIQUE: Readonly<Record<string, string>> = {
  labels: 'title',
  milestones: 'title',
  members: 'user_id',
  project_members: 'user_id',
  protected_branches: 'name',
  protected_tags: 'name',
  environments: 'name',
  protected_environments: 'name',
};

/** Finds rows of one file that cannot both be created: the first one is imported. */
class UniqueNames {
  readonly #attribute: string | undefined;
  readonly #lines = new Map<unknown, number>();

  constructor(relation: string) {
    this.#attribute = Object.hasOwn(UNIQUE, relation) ? UNIQUE[relation] : undefined;
  }

  /** Registers a row as imported. @throws BadRow if an earlier row has its name */
  require(row: CleanRow, line: number): void {
    const value = this.#attribute === undefined ? null : (row[this.#attribute] ?? null);
    if (value === null) return;
    const first = this.#lines.get(value);
    if (first !== undefined) throw new BadRow(`has already been taken by line ${first}`, [this.#attribute as string]);
    this.#lines.set(value, line);
  }
}

/**
 * Runs code that may throw for each of very many rows and elements, and of whose errors only the messages are used:
 * capturing stack traces would take more time and memory than everything else.
 */
function withoutStacks<R>(work: () => R): R {
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = 0;
  try {
    return work();
  } finally {
    Error.stackTraceLimit = stackTraceLimit;
  }
}

/** Maximum number of omitted rows and elements in one file: a file with more is considered invalid. */
const MOST_LEFT_OUT = 100_000;

/** Numbers of imported and of skipped rows. */
interface RowCounts {
  total: number;
  skipped: number;
}

/** Counts by relation. */
export type RelationCounts = Map<string, RowCounts>;

function getCounts(counts: RelationCounts, relation: string): RowCounts {
  const rowCounts = counts.get(relation) ?? { total: 0, skipped: 0 };
  counts.set(relation, rowCounts);
  return rowCounts;
}

/** What reading a relation reports. */
export interface ReadReport {
  counts: RelationCounts;
  failed(failure: ImportFailure): void;
}

const rules: Readonly<Record<string, (row: CleanRow) => CleanRow>> = { ...rowRules, ...projectRowRules };

/**
 * A row as stored, after applying the validation rules for records created by users.
 * @throws BadRow for a violation
 */
function ruledRow(relation: string, row: CleanRow): CleanRow {
  try {
    return rules[relation]?.(row) ?? row;
  } catch (error) {
    if (error instanceof Invalid) throw new BadRow(invalidSentences(error.detail).join(', '));
    throw error;
  }
}

/** A row as imported; null if it is left out, with the reason reported. */
function acceptRow(
  { name, attributes }: Pick<ArchiveRelation, 'name' | 'attributes'>,
  found: JsonLine,
  names: UniqueNames,
  report: (reason: string) => void,
): CleanRow | null {
  try {
    if ('problem' in found) throw new BadRow(found.problem);
    const row = ruledRow(
      name,
      cleanRow(attributes, found.row, (problem) => report(problem.message)),
    );
    names.require(row, found.line);
    return row;
  } catch (error) {
    if (!(error instanceof BadRow)) throw error;
    report(error.message);
    return null;
  }
}

/**
 * Takes over the rows of one file. A row that is not what it should be is left out, with its reason.
 * @param group the id of its group in the archive; 0 for a project
 * @throws ArchiveRejected
 */
export async function readRelation(
  entry: IncomingEntry,
  group: number,
  { name: relation, attributes }: ArchiveRelation,
  sink: RowSink,
  { counts, failed }: ReadReport,
): Promise<void> {
  const counted = getCounts(counts, relation);
  const slices = new TimeSlices();
  const names = new UniqueNames(relation);
  let leftOut = 0;
  for await (const found of readJsonRows(entry)) {
    const { line } = found;
    const report = (reason: string) => {
      leftOut += 1;
      if (leftOut > MOST_LEFT_OUT)
        throw new ArchiveRejected(`The archive has a file of which more than ${MOST_LEFT_OUT} rows are not valid.`, {
          file: entry.name,
          line,
        });
      failed({ file: entry.name, line, relation, reason });
    };
    counted.total += 1;
    const data = withoutStacks(() => acceptRow({ name: relation, attributes }, found, names, report));
    if (data === null) counted.skipped += 1;
    else await sink.add({ source_group: group, relation, line, data });
    await slices.take();
  }
}

/**
 * The attributes of a group or project: the one object of their file.
 * @throws BadRow, ArchiveRejected
 */
export async function readAttributesOf(entry: IncomingEntry, attributes: ArchiveAttributes): Promise<CleanRow> {
  try {
    const found = await wholeJson(entry);
    if (!isJsonObject(found)) throw new BadRow('is not an object');
    return withoutStacks(() => cleanRow(attributes, found, () => {}));
  } catch (error) {
    if (error instanceof BadJson) throw new BadRow(error.message);
    throw error;
  }
}

/** Records that an archive has the bundle of a wiki or snippet; it is read once its owner exists. */
export async function stageBundle(
  { relation, group, snippet }: ContentBundle,
  sink: RowSink,
  { counts }: Pick<ReadReport, 'counts'>,
): Promise<void> {
  const counted = getCounts(counts, relation);
  counted.total += 1;
  await sink.add({ source_group: group, relation, line: counted.total, data: { id: snippet } });
}
