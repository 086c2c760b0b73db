import { ConfigurationError, type Hash, type Problem } from '../configuration-model/configuration.types.js';
import { listIncludeItems, readIncludeEntry, type IncludeEntry } from './include-entries.js';
import { hasIntegrity } from './include-integrity.js';
import { checkExtension, createRequests } from './include-requests.js';
import { IncludeError } from './include-rules.js';
import type {
  SourceFile,
  FileOrigin,
  IncludeAnswer,
  IncludedFile,
  IncludeOptions,
  IncludeRequest,
} from './include.types.js';
import { createSizeCounter, measureSize } from './measure-size.js';
import { mergeHashes, readKey } from './merge-hashes.js';

export type { FileOrigin, IncludeAnswer, IncludedFile, IncludeOptions, IncludeRequest } from './include.types.js';

const MAX_INCLUDES = 150;
const MAX_PROBLEMS = 100;
const MAX_MESSAGE = 1000;
/** Entries whose rules are looked at, whether or not their files are then included. */
const MAX_ENTRIES = 1000;
const BLANK = 'Please provide content of .gitlab-ci.yml';

/** A file whose includes are worked out. */
interface Parent {
  from: FileOrigin | null;
  /** Of the file; undefined for the first one. */
  location: string | undefined;
  /** The files on the way here, this one among them. */
  trail: readonly string[];
}
interface Fetch {
  request: IncludeRequest;
  entry: IncludeEntry;
}
interface Inclusion extends Fetch {
  file: SourceFile;
}
interface Work {
  readonly options: IncludeOptions;
  readonly answers: Map<string, Promise<IncludeAnswer>>;
  readonly includes: IncludedFile[];
  readonly warnings: Problem[];
  readonly problems: Problem[];
  readonly addSize: (size: number) => void;
  entries: number;
  files: number;
}

/**
 * Merges a file with what it includes, and what that includes: later files win over earlier ones, and a file wins over
 * what it includes. The files of one `include` are fetched together.
 * @throws ConfigurationError with up to 100 problems: entries that are not written as they must be, files that can't be
 *   read, circles, more files than are allowed, a result that is too big, no more time
 */
export async function expandIncludes(
  content: Hash,
  options: IncludeOptions,
): Promise<{ content: Hash; includes: IncludedFile[]; warnings: Problem[] }> {
  const work: Work = {
    options,
    answers: new Map(),
    includes: [],
    warnings: [],
    problems: [],
    addSize: createSizeCounter(),
    entries: 0,
    files: 0,
  };
  work.addSize(measureSize(content));
  const trail = [formatIdentity(options.from, options.location)];
  const own = await expandFile(work, content, { from: options.from, location: undefined, trail });
  if (work.problems.length > 0) throw new ConfigurationError(work.problems);
  return { content: own, includes: work.includes, warnings: work.warnings };
}

async function expandFile(work: Work, content: Hash, parent: Parent): Promise<Hash> {
  if (!Object.hasOwn(content, 'include')) return content;
  const fetches = (await chooseEntries(work, content, parent)).flatMap((entry) => {
    const requests = attempt(work, parent, () => createRequests(entry, parent.from)) ?? [];
    return requests.map((request) => ({ request, entry }));
  });
  const files = await fetchAll(work, fetches, parent);
  for (const file of files) work.includes.push(describeFile(file, parent));
  const hashes: Hash[] = [];
  for (const file of files) {
    const hash = await readInclusion(work, file, parent);
    if (hash) hashes.push(hash);
  }
  const { include: _, ...own } = content;
  return mergeHashes([...hashes, own]);
}

/** The entries of a file that are well written, and whose rules hold. */
async function chooseEntries(work: Work, content: Hash, parent: Parent): Promise<IncludeEntry[]> {
  const entries: IncludeEntry[] = [];
  for (const item of listIncludeItems(readKey(content, 'include') ?? null)) {
    if (++work.entries > MAX_ENTRIES) throw createCountError(work);
    const entry = attempt(work, parent, () => readIncludeEntry(item, (text) => work.options.expand(text)));
    if (!entry) continue;
    if (entry.rules.length === 0 || (await work.options.matchesRules(entry.rules, parent.from))) entries.push(entry);
  }
  return entries;
}

async function fetchAll(work: Work, fetches: Fetch[], parent: Parent): Promise<Inclusion[]> {
  countFiles(work, fetches.filter(({ request }) => request.kind !== 'local-glob').length);
  if (fetches.length > 0 && work.options.isOverdue?.())
    throw new ConfigurationError('Resolving config took longer than expected');
  const answers = await Promise.all(fetches.map(({ request }) => fetchOnce(work, request)));
  return answers.flatMap((answer, index) => {
    const fetch = fetches[index] as Fetch;
    if ('error' in answer) addProblem(work, parent, answer.error);
    else if (fetch.request.kind === 'local-glob') countFiles(work, answer.files.length);
    return 'error' in answer ? [] : answer.files.map((file) => ({ ...fetch, file }));
  });
}

function fetchOnce(work: Work, request: IncludeRequest): Promise<IncludeAnswer> {
  const key = JSON.stringify(request);
  const answer = work.answers.get(key) ?? work.options.fetchFiles(request);
  work.answers.set(key, answer);
  return answer;
}

function countFiles(work: Work, count: number): void {
  work.files += count;
  if (work.files > (work.options.maxIncludes ?? MAX_INCLUDES)) throw createCountError(work);
}

function createCountError({ options }: Work): ConfigurationError {
  return new ConfigurationError(`Maximum of ${options.maxIncludes ?? MAX_INCLUDES} nested includes are allowed!`);
}

/** The content of a fetched file with its own includes; null after a problem. */
async function readInclusion(work: Work, inclusion: Inclusion, parent: Parent): Promise<Hash | null> {
  const { file, entry } = inclusion;
  const identity = formatIdentity(file.origin, file.location, entry.inputs);
  const isUsable = attempt(work, parent, () => {
    checkInclusion(inclusion);
    if (parent.trail.includes(identity))
      throw new IncludeError(`Include \`${file.location}\` is part of a circular chain!`);
    return true;
  });
  if (!isUsable) return null;
  const content = await parseInclusion(work, inclusion, parent);
  if (content === null) return null;
  work.addSize(measureSize(content));
  const trail = [...parent.trail, identity];
  return expandFile(work, content, { from: file.origin, location: file.location, trail });
}

function checkInclusion({ file, entry, request }: Inclusion): void {
  if (request.kind === 'local-glob') checkExtension(file.location);
  if (file.text.trim() === '') throw new IncludeError(describeEmpty(request, file));
  if (entry.integrity !== null && !hasIntegrity(file.text, entry.integrity))
    throw new IncludeError(`Include \`${file.location}\` file integrity does not match the one in the configuration!`);
}

function describeEmpty(request: IncludeRequest, { location }: SourceFile): string {
  if (request.kind === 'project') return `Project \`${request.project}\` file \`${location}\` is empty!`;
  return `${request.kind === 'remote' ? 'Remote' : 'Local'} file \`${location}\` is empty!`;
}

async function parseInclusion(work: Work, { file, entry, request }: Inclusion, parent: Parent): Promise<Hash | null> {
  const { location } = file;
  try {
    const read = await work.options.readFile(file, entry.inputs);
    for (const warning of read.warnings) work.warnings.push({ ...warning, file: warning.file ?? location });
    return read.content;
  } catch (error) {
    if (!(error instanceof ConfigurationError)) throw error;
    for (const problem of error.problems) {
      if (problem.message === BLANK) addProblem(work, parent, describeEmpty(request, file));
      else addProblem(work, { location }, `\`${location}\`: ${problem.message}`, problem.position);
    }
    return null;
  }
}

function describeFile({ file, request }: Inclusion, { from }: Parent): IncludedFile {
  const types = { local: 'local', 'local-glob': 'local', project: 'file', remote: 'remote' } as const;
  return {
    type: types[request.kind],
    location: file.location,
    blob: file.blob ?? null,
    raw: file.raw ?? null,
    extra: request.kind === 'project' ? { project: request.project, ref: request.ref ?? 'HEAD' } : {},
    context_project: from?.project ?? null,
    context_sha: from?.sha ?? null,
  };
}

const formatIdentity = (origin: FileOrigin | null, location: string, inputs: Hash = {}) =>
  JSON.stringify([origin?.project, origin?.sha, location, inputs]);

/** What a step comes to; undefined after an IncludeError, which becomes a problem of the parent. */
function attempt<Result>(work: Work, parent: Parent, step: () => Result): Result | undefined {
  try {
    return step();
  } catch (error) {
    if (!(error instanceof IncludeError)) throw error;
    addProblem(work, parent, error.message);
    return undefined;
  }
}

function addProblem(
  work: Work,
  { location }: Pick<Parent, 'location'>,
  message: string,
  position?: Problem['position'],
): void {
  if (work.problems.length >= MAX_PROBLEMS) return;
  const problem: Problem = { message: message.slice(0, MAX_MESSAGE) };
  if (location !== undefined) problem.file = location;
  if (position !== undefined) problem.position = position;
  work.problems.push(problem);
}
