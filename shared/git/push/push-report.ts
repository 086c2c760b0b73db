import { FLUSH, pktLine } from './pkt-lines.js';
import type { PushRequest } from './push-request.js';

/** What became of a push: exactly this is so. */
export interface PushReport {
  /** Why its objects were rejected, as a message; null if they were accepted. */
  unpack: string | null;
  /** For each ref, in the order of the commands, why it was not changed; null if it has the requested value. */
  refs: readonly { ref: string; rejection: string | null }[];
  /** Further messages to the pushing user. */
  messages: readonly string[];
}

/** The capabilities that a push may declare or request, as listed in the first line of the ref advertisement. */
export const PUSH_CAPABILITIES = [
  'report-status',
  'report-status-v2',
  'delete-refs',
  'side-band-64k',
  'quiet',
  'atomic',
  'ofs-delta',
  'push-options',
  'object-format=sha1',
].join(' ');

/** Maximum payload of one packet in bytes, without its length and band. */
const PIECE_BYTES = 65_515;

/** The band of a packet: the report, or messages for the terminal. */
const REPORT = 1;
const PROGRESS = 2;

function* inBand(band: number, content: Buffer): Generator<Buffer> {
  for (let at = 0; at < content.length; at += PIECE_BYTES)
    yield pktLine(Buffer.concat([Buffer.from([band]), content.subarray(at, at + PIECE_BYTES)]));
}

/** One line for git's terminal: control characters are removed, so that it cannot look like another line. */
// oxlint-disable-next-line no-control-regex -- what a line of a report must not have
const oneLine = (text: string): string => text.replace(/[\x00-\x1f\x7f]+/g, ' ').trim();

function getStatus({ unpack, refs }: PushReport): Buffer {
  const lines = refs.map(({ ref, rejection }) =>
    pktLine(rejection === null ? `ok ${ref}\n` : `ng ${ref} ${oneLine(rejection)}\n`),
  );
  return Buffer.concat([pktLine(`unpack ${unpack === null ? 'ok' : oneLine(unpack)}\n`), ...lines, FLUSH]);
}

/** Whether the client can show messages at any time. */
const hasBands = ({ capabilities }: PushRequest): boolean => capabilities.has('side-band-64k');

/** A keep-alive packet for a waiting client, so that the connection is not considered dead. */
export function stillWorking(request: PushRequest): Buffer | null {
  return hasBands(request) ? pktLine(Buffer.from([PROGRESS])) : null;
}

/** The answer to a push, as the client can read it. */
export function answerPush(request: PushRequest, report: PushReport): Buffer {
  const { capabilities } = request;
  const reports = capabilities.has('report-status') || capabilities.has('report-status-v2');
  const status = reports ? getStatus(report) : Buffer.alloc(0);
  if (!hasBands(request)) return status;
  // A line may begin with spaces.
  const text = Buffer.from(
    report.messages.map((message) => `${/^ */.exec(message)![0]}${oneLine(message)}\n`).join(''),
  );
  return Buffer.concat([...inBand(PROGRESS, text), ...inBand(REPORT, status), FLUSH]);
}
