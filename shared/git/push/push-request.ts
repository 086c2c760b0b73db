import type { Readable } from 'node:stream';
import { NotGitProtocol } from '../errors.js';
import { isSha, zeroSha } from '../object-ids.js';
import { MOST_REFS } from '../remote.js';
import { ByteReader } from './byte-reader.js';
import { readPktLine } from './pkt-lines.js';

/** The requested change of one ref. */
export interface RefCommand {
  /** Full name as received: its validity is not checked. */
  ref: string;
  /** The client's expected current value; null if the ref should not exist. */
  old: string | null;
  /** What it shall hold; null deletes it. */
  new: string | null;
}

/** The part of a push before its objects. */
export interface PushRequest {
  commands: RefCommand[];
  /** Capabilities that the client declares or requests: `report-status`, `atomic`, `agent=git/2.39.5`. */
  capabilities: ReadonlySet<string>;
  /** `--push-option` of the client. */
  options: string[];
  /** Whether the client's history is cut off somewhere. */
  shallow: boolean;
  /** Why the whole push is rejected, as a message; the rest was then not read. */
  rejection: string | null;
  /** What follows: the objects, where any ref is made or moved. */
  rest: Readable;
}

/** Bytes of all commands: 50,000 of them with names of 200 letters. */
const COMMAND_BYTES = 16 * 1024 * 1024;
const MOST_OPTIONS = 100;
const OPTION_BYTES = 64 * 1024;
/** Maximum number of commits at which a shallow clone is cut off: more than any real clone has. */
const MOST_SHALLOW = 50_000;

const COMMAND = /^([0-9a-f]{40}) ([0-9a-f]{40}) ([^\0]+)$/;

const getId = (sha: string): string | null => (sha === zeroSha ? null : sha);

function parseCommand(line: string): RefCommand {
  const [, old, next, ref] = COMMAND.exec(line) ?? [];
  if (old === undefined || next === undefined || ref === undefined) throw new NotGitProtocol('no command of a push');
  return { ref, old: getId(old), new: getId(next) };
}

/** Called with the number of additional bytes held; throws if there is no capacity for them. */
type Hold = (bytes: number) => void;
/** Bytes that a command takes in addition to its text. */
const COMMAND_COST = 256;

/** Counts items and bytes of a request against their limits. */
class Most {
  #count = 0;
  #bytes = 0;

  constructor(
    private readonly count: number,
    private readonly bytes: number,
  ) {}

  /** Whether one more of this length is too much. */
  passedBy(length: number): boolean {
    this.#count += 1;
    this.#bytes += length;
    return this.#count > this.count || this.#bytes > this.bytes;
  }
}

/** Reads commands up to their end. @returns a message about an exceeded limit */
async function readCommands(reader: ByteReader, request: PushRequest, hold: Hold): Promise<string | null> {
  const commands = new Most(MOST_REFS, COMMAND_BYTES);
  const cuts = new Most(MOST_SHALLOW, Infinity);
  for (let line = await readPktLine(reader); line !== 'flush'; line = await readPktLine(reader)) {
    if (line === null) throw new NotGitProtocol('the commands have no end');
    const text = line.toString('utf8');
    const [, cut] = /^shallow ([0-9a-f]+)$/.exec(text) ?? [];
    if (cut !== undefined) {
      if (!isSha(cut) || cuts.passedBy(0)) throw new NotGitProtocol('no commit that a history ends with');
      request.shallow = true;
      continue;
    }
    const [command = '', capabilities] = request.commands.length === 0 ? splitOnce(text) : [text];
    if (capabilities !== undefined) request.capabilities = new Set(capabilities.split(' ').filter((one) => one !== ''));
    if (commands.passedBy(line.length))
      return `A push may change ${MOST_REFS} branches and tags. Push fewer at a time.`;
    hold(COMMAND_COST + line.length);
    request.commands.push(parseCommand(command));
  }
  return null;
}

/** The first command is followed by capabilities. */
function splitOnce(text: string): string[] {
  const at = text.indexOf('\0');
  return at < 0 ? [text] : [text.slice(0, at), text.slice(at + 1)];
}

async function readOptions(reader: ByteReader, request: PushRequest): Promise<string | null> {
  const options = new Most(MOST_OPTIONS, OPTION_BYTES);
  for (let line = await readPktLine(reader); line !== 'flush'; line = await readPktLine(reader)) {
    if (line === null) throw new NotGitProtocol('the push options have no end');
    if (options.passedBy(line.length)) return `A push may have ${MOST_OPTIONS} push options, of 64 KiB together.`;
    request.options.push(line.toString('utf8'));
  }
  return null;
}

function formatProblem({ capabilities }: PushRequest): string | null {
  const format = [...capabilities].find((one) => one.startsWith('object-format='));
  return format === undefined || format === 'object-format=sha1' ? null : 'The repository has objects of SHA-1.';
}

/**
 * Reads the part of a push before its objects, within limits. A push without commands is a probe with which git tests
 * whether it may send a larger one.
 * @param hold is called with the number of additional bytes held
 * @throws NotGitProtocol for an invalid push, and errors of the stream and `hold`
 */
export async function readPushRequest(source: Readable, hold: Hold): Promise<PushRequest> {
  const reader = new ByteReader(source);
  const request: PushRequest = {
    commands: [],
    capabilities: new Set(),
    options: [],
    shallow: false,
    rejection: null,
    rest: source,
  };
  request.rejection = (await readCommands(reader, request, hold)) ?? formatProblem(request);
  if (request.rejection === null && request.capabilities.has('push-options'))
    request.rejection = await readOptions(reader, request);
  reader.rest();
  return request;
}
