import { isHash } from '../configuration-model/configuration.types.js';
import type { ArtifactsConfig, Hash, Value } from '../configuration-model/configuration.types.js';
import { enterAttribute, enterKey, isBlank, pickValue, reject, warnUnused } from './keyword-scope.js';
import type { KeywordScope } from './keyword-scope.js';
import { readExpiry } from './read-duration.js';
import { checkKeys, limitString, readBoolean, readHash, makeChoiceReader } from './read-shapes.js';
import { readString, readStringOrStrings, readStrings } from './read-shapes.js';
import type { Reader } from './read-shapes.js';

const KEYS = ['name', 'untracked', 'paths', 'reports', 'when', 'expire_in', 'expose_as', 'exclude', 'public', 'access'];

/** Reports by their kinds. All but `dotenv` are stored and never interpreted. */
const REPORT_KINDS: readonly string[] =
  `accessibility annotations api_fuzzing browser_performance codequality container_scanning coverage_fuzzing
   coverage_report cyclonedx dast dependency_scanning dotenv junit license_scanning load_performance lsif metrics
   repository_xray requirements sast secret_detection terraform`.split(/\s+/);

const COVERAGE_FORMATS = 'must be one of supported formats: cobertura, jacoco.';
const TITLE = /^\w[-\w ]*$/;

/** When files of a job are stored. */
export const readUploadWhen = makeChoiceReader(['on_success', 'on_failure', 'always']);
const readAccess = makeChoiceReader(['none', 'developer', 'maintainer', 'all']);
const readTitle = limitString(100);
const readCoverageFormat = makeChoiceReader(['cobertura', 'jacoco'], COVERAGE_FORMATS);

/** Reads `artifacts`. */
export function readArtifacts(value: Value, at: KeywordScope): ArtifactsConfig | undefined {
  const hash = readHash(value, at, KEYS);
  if (!hash) return undefined;
  checkAccessKeys(hash, at);
  const read = <T>(key: string, reader: Reader<T>): T | undefined => {
    const part = pickValue(hash, key);
    return part === undefined ? undefined : reader(part, enterAttribute(at, key));
  };
  const reports = pickValue(hash, 'reports');
  const artifacts: ArtifactsConfig = {
    paths: read('paths', readStrings) ?? [],
    exclude: read('exclude', readStrings) ?? [],
    untracked: read('untracked', readBoolean) ?? false,
    name: read('name', readString),
    when: read('when', readUploadWhen) ?? 'on_success',
    expire_in: read('expire_in', readExpiry),
    access: read('access', readAccess) ?? (read('public', readBoolean) === false ? 'developer' : 'all'),
    expose_as: read('expose_as', readExposeAs),
    reports: reports === undefined ? {} : (readReports(reports, enterKey(at, 'reports')) ?? {}),
  };
  if (pickValue(hash, 'expose_as') !== undefined) checkExposedPaths(artifacts.paths, at);
  return artifacts;
}

function checkAccessKeys(hash: Hash, at: KeywordScope): void {
  const keys = Object.keys(hash).filter((key) => key === 'access' || key === 'public');
  if (keys.length > 1) reject(at, `these keys cannot be used together: ${keys.join(', ')}`);
}

function readExposeAs(value: Value, at: KeywordScope): string | undefined {
  const title = readTitle(value, at);
  if (title === undefined) return undefined;
  if (!TITLE.test(title)) return reject(at, "can contain only letters, digits, '-', '_' and spaces");
  warnUnused(at);
  return title;
}

function checkExposedPaths(paths: string[], artifacts: KeywordScope): void {
  const at = enterAttribute(artifacts, 'paths');
  if (isBlank(paths)) reject(at, "can't be blank");
  else if (paths.some((path) => path.includes('*'))) reject(at, "can't contain '*' when used with 'expose_as'");
}

function readReports(value: Value, at: KeywordScope): Record<string, string[]> | undefined {
  if (!isHash(value)) return reject(at, 'should be a hash');
  checkKeys(value, at, REPORT_KINDS);
  const reports: Record<string, string[]> = {};
  for (const kind of REPORT_KINDS) {
    const part = pickValue(value, kind);
    if (part === undefined) continue;
    const reader = kind === 'coverage_report' ? readCoverageReport : readStringOrStrings;
    const paths = reader(part, kind === 'coverage_report' ? enterKey(at, kind) : enterAttribute(at, kind));
    if (paths) reports[kind] = paths;
    if (kind !== 'dotenv') warnUnused(enterKey(at, kind));
  }
  return reports;
}

function readCoverageReport(value: Value, at: KeywordScope): string[] | undefined {
  const hash = readHash(value, at, ['coverage_format', 'path']);
  if (!hash) return undefined;
  const [format, path] = [pickValue(hash, 'coverage_format'), pickValue(hash, 'path')];
  if (format === undefined) reject(enterAttribute(at, 'coverage_format'), "can't be blank");
  else readCoverageFormat(format, enterAttribute(at, 'coverage_format'));
  if (path === undefined) return reject(enterAttribute(at, 'path'), "can't be blank");
  const text = readString(path, enterAttribute(at, 'path'));
  return text === undefined ? undefined : [text];
}
