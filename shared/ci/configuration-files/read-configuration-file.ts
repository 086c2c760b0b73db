import { Buffer } from 'node:buffer';
import { parseYaml, YamlError } from '../../core/values/yaml.js';
import type { YamlFile } from '../../core/values/yaml.js';
import { ConfigurationError } from '../configuration-model/configuration.types.js';
import type { Hash, FilePosition, Problem } from '../configuration-model/configuration.types.js';
import { parseOnce } from './parsed-files.js';
import { createBlockShield } from './read-yaml-blocks.js';
import { readReference } from './read-yaml-reference.js';

/** Where a key of a configuration stands: `['job', 'script']`, `['job', 'rules', 0, 'if']`. */
export type Locate = (path: readonly (string | number)[]) => FilePosition | undefined;

/** A configuration file that was read and nothing else. */
export interface ConfigurationFile {
  /** The document with `spec`, where there is one. */
  header: Hash | null;
  /**
   * The jobs and global keywords. Keys that are no texts are texts: `true`, `1`, and '' for null. What stands behind an
   * alias is the same object as its anchor, and a file that was read before has the values of then, so nothing in it may
   * be changed.
   */
  content: Hash;
  /** Keys that stand twice (at most 100), and documents that are not used. */
  warnings: Problem[];
  /**
   * Where a key of the content stands: the position of its longest part that is in the file. Each hash is searched when
   * it is first needed.
   */
  locate: Locate;
  /** The same for the header. */
  locateInHeader: Locate;
}

/** Bytes of a file. */
const MAX_BYTES = 2 * 1024 * 1024;

const TOO_BIG = 'The parsed YAML is too big';
const NOT_VALID = 'Invalid configuration format';
const NOTHING = 'Please provide content of .gitlab-ci.yml';
const TOO_MANY_DOCUMENTS = 'The parsed YAML has too many documents';

/** The public parser's way to tell of a syntax error. */
function describeError({ kind, message, position }: YamlError): string {
  if (kind === 'too_big') return TOO_BIG;
  if (kind === 'tag') return NOT_VALID;
  return `(<unknown>): ${message} at line ${position.line} column ${position.column}`;
}

function isHash(value: unknown): value is Hash {
  return value !== null && typeof value === 'object' && Object.getPrototypeOf(value) === null;
}

function parseDocuments(text: string): YamlFile {
  const shield = createBlockShield(text);
  return parseYaml(shield.text, {
    exactNumbers: true,
    tags: { '!reference': readReference },
    readText: shield.restore,
  });
}

function readDocuments(text: string, file: string | undefined, blobId: string | null | undefined): YamlFile {
  try {
    return parseOnce(text, blobId, () => parseDocuments(text));
  } catch (error) {
    if (!(error instanceof YamlError)) throw error;
    throw new ConfigurationError([{ message: describeError(error), file, position: error.position }]);
  }
}

/**
 * Reads the YAML of a configuration file (section 3 of the contract). With two documents, the first of which has the
 * key `spec`, that one is the header; with two others the first is used and the second is warned of.
 * @param location of an included file, for its problems
 * @param blobId of a file in git, whose YAML is parsed once
 * @throws ConfigurationError for no content, invalid YAML, anything but a hash, unknown tags, and too large files
 */
export function readConfigurationFile(text: string, location?: string, blobId?: string | null): ConfigurationFile {
  const fail = (message: string): never => {
    throw new ConfigurationError([{ message, file: location }]);
  };
  if (Buffer.byteLength(text) > MAX_BYTES) fail(TOO_BIG);
  const { documents, duplicates, locate } = readDocuments(text, location, blobId);
  const numbers = [...documents.keys()].filter((number) => documents[number] !== null);
  if (numbers.length > 2) fail(TOO_MANY_DOCUMENTS);
  const [first, second] = numbers;
  if (first === undefined) return fail(NOTHING);
  const hashes = numbers.map((number) => documents[number]);
  if (!hashes.every(isHash)) return fail(NOT_VALID);
  const [firstHash = Object.create(null) as Hash, secondHash = Object.create(null) as Hash] = hashes;

  const warnings: Problem[] = duplicates.map(({ key, first: before, second: position }) => ({
    message: `The key \`${key}\` is written twice, in lines ${before.line} and ${position.line}: the last one is used`,
    file: location,
    position,
  }));
  if (Object.hasOwn(firstHash, 'spec') && documents.length > first + 1) {
    const number = second ?? first + 1;
    return {
      header: firstHash,
      content: secondHash,
      warnings,
      locate: (path) => locate(number, path),
      locateInHeader: (path) => locate(first, path),
    };
  }
  if (second !== undefined) {
    warnings.push({ message: 'Only the first document of the file is used', file: location });
  }
  return {
    header: null,
    content: firstHash,
    warnings,
    locate: (path) => locate(first, path),
    locateInHeader: () => undefined,
  };
}
