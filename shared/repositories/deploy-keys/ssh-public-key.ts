import { createHash } from 'node:crypto';
import type { Problems } from '../../core/values/errors.js';
import { KEY_TYPES } from './ssh-key-types.js';
import { MalformedKey, SshWireReader } from './ssh-wire.js';

/** A public key in OpenSSH format, parsed and validated. */
export interface SshPublicKey {
  /** Type, base64 and comment, one space between them. */
  key: string;
  /** MD5, in hex between colons. */
  fingerprint: string;
  /** `SHA256:` and base64 without padding, as printed by `ssh-keygen -l`. */
  fingerprint_sha256: string;
}

const MAX_KEY = 5000;
const MIN_RSA_BITS = 2048;
const DSA = 'ssh-dss';
const ALLOWED = 'RSA, ECDSA, ED25519, ECDSA_SK, or ED25519_SK';
const CANNOT_BE_GENERATED = { fingerprint_sha256: ['cannot be generated'] };

/** Base64 as encoders write it: what decodes to the same bytes in another spelling is refused. */
function decode(text: string): Buffer {
  const bytes = Buffer.from(text, 'base64');
  if (bytes.toString('base64') !== text) throw new MalformedKey();
  return bytes;
}

/** A comment is a line of text: anything else would end the line of a file of keys. */
// oxlint-disable-next-line no-control-regex -- what a comment must not have
const CONTROL = /[\u0000-\u001f\u007f\u2028\u2029]/;

/** @throws MalformedKey */
function parse(text: string): { found: SshPublicKey; bits: number; type: string } {
  const [type = '', base64 = '', ...comment] = text.split(' ').filter((word) => word !== '');
  const read = KEY_TYPES.get(type);
  if (!read || CONTROL.test(text)) throw new MalformedKey();
  const blob = decode(base64);
  const wire = new SshWireReader(blob);
  wire.expect(type);
  const bits = read(wire);
  wire.end();
  const digest = (algorithm: string) => createHash(algorithm).update(blob);
  const fingerprint = digest('md5').digest('hex').match(/../g)?.join(':') ?? '';
  const sha256 = digest('sha256').digest('base64').replaceAll('=', '');
  const key = [type, base64, ...comment].join(' ');
  return { found: { key, fingerprint, fingerprint_sha256: `SHA256:${sha256}` }, bits, type };
}

/**
 * Parses a public key, in time and memory proportional to its length, at most 5000 characters.
 * @returns the key, or the problems by field, with the public API's messages
 */
export function readSshPublicKey(input: string): { found: SshPublicKey } | { problems: Problems } {
  if (input.length > MAX_KEY) return { problems: { key: [`is too long (maximum is ${MAX_KEY} characters)`] } };
  const text = input.trim();
  if (text === '') return { problems: { key: ["can't be blank"], ...CANNOT_BE_GENERATED } };
  if (text.split(' ', 1)[0] === DSA) return { problems: { key: [`type is forbidden. Must be ${ALLOWED}`] } };
  try {
    const { found, bits, type } = parse(text);
    if (type === 'ssh-rsa' && bits < MIN_RSA_BITS)
      return { problems: { key: [`must be at least ${MIN_RSA_BITS} bits`] } };
    return { found };
  } catch (error) {
    if (!(error instanceof MalformedKey)) throw error;
    return { problems: { key: ['is invalid'], ...CANNOT_BE_GENERATED } };
  }
}
