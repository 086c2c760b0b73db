import type { When } from '../configuration-model/configuration.types.js';
import { enterAttribute, enterKey } from './keyword-scope.js';
import type { KeywordScope } from './keyword-scope.js';
import { readAllowFailure } from './read-allow-failure.js';
import { readArtifacts } from './read-artifacts.js';
import { readCaches } from './read-cache.js';
import { limitDuration, MONTH, WEEK } from './read-duration.js';
import { readEnvironment } from './read-environment.js';
import { readHooks } from './read-hooks.js';
import { readImage, readServices } from './read-image.js';
import { readInherit } from './read-inherit.js';
import { readNeeds } from './read-needs.js';
import { readParallel } from './read-parallel.js';
import { readCoverage } from './read-patterns.js';
import { readRefPolicy } from './read-ref-policy.js';
import { readRetry } from './read-retry.js';
import { readJobRules } from './read-rules.js';
import * as readers from './read-shapes.js';
import type { Reader } from './read-shapes.js';
import { readTagList } from './read-tags.js';
import { readDastConfiguration, readIdentity, readJobInputs, readPages, skipValue } from './read-unused.js';
import { readGlobalVariables, readJobVariables } from './read-variables.js';
import { readWorkflow } from './read-workflow.js';

/** Where a keyword can be written: at the top of the file, in `default`, in a job. */
export type KeywordSpot = 'global' | 'default' | 'job';

/**
 * What the service does with a keyword: obeys it; checks it and warns, since it is not built so far (`pending`) or
 * never will be (`accepted`); refuses it.
 */
type KeywordSupport = 'works' | 'pending' | 'accepted' | 'refused';

export interface Keyword<T> {
  spots: readonly KeywordSpot[];
  support: KeywordSupport;
  read: Reader<T>;
  /** How messages name it: `jobs:x:tags config …` or `jobs:x start in …`. */
  enter: (at: KeywordScope, key: string) => KeywordScope;
  /** Another reader for the top of the file. */
  readGlobal?: Reader<T> | undefined;
  /** Spots where it is refused all the same. */
  rejectedIn?: readonly KeywordSpot[] | undefined;
}

const JOB: readonly KeywordSpot[] = ['job'];
const GLOBAL: readonly KeywordSpot[] = ['global'];
const DEFAULT: readonly KeywordSpot[] = ['default', 'job'];
const ALL: readonly KeywordSpot[] = ['global', 'default', 'job'];

const WHEN: readonly Exclude<When, 'never'>[] = ['on_success', 'on_failure', 'always', 'manual', 'delayed'];

/** All keywords, each declared here and nowhere else. */
export const KEYWORDS = {
  stages: declareKeyword('works', GLOBAL, readers.readNestedStrings),
  default: declareKeyword('works', GLOBAL, skipValue),
  workflow: declareKeyword('works', GLOBAL, readWorkflow),
  include: declareKeyword('works', GLOBAL, skipValue),
  spec: declareKeyword('works', GLOBAL, skipValue),
  variables: { ...declareKeyword('works', ['global', 'job'], readJobVariables), readGlobal: readGlobalVariables },
  extends: declareKeyword('works', JOB, skipValue),
  inherit: declareKeyword('works', JOB, (value, at) => readInherit(value, at, listKeywords('default'))),

  script: declareKeyword('works', JOB, readers.readScript),
  before_script: declareKeyword('works', ALL, readers.readScript),
  after_script: declareKeyword('works', ALL, readers.readScript),
  hooks: declareKeyword('works', DEFAULT, readHooks),
  stage: declareKeyword('works', JOB, readers.readString),
  needs: declareKeyword('works', JOB, readNeeds),
  dependencies: declareKeyword('pending', JOB, readers.readStrings, enterAttribute),
  rules: declareKeyword('works', JOB, readJobRules),
  when: declareKeyword('works', JOB, readers.makeChoiceReader(WHEN), enterAttribute),
  allow_failure: declareKeyword('works', JOB, readAllowFailure, enterAttribute),
  start_in: declareKeyword('works', JOB, limitDuration(WEEK), enterAttribute),
  only: declareKeyword('works', JOB, readRefPolicy),
  except: declareKeyword('works', JOB, readRefPolicy),
  tags: declareKeyword('works', DEFAULT, readTagList),
  retry: declareKeyword('works', DEFAULT, readRetry),
  timeout: declareKeyword('works', DEFAULT, limitDuration(MONTH)),
  parallel: declareKeyword('works', JOB, readParallel),
  image: declareKeyword('works', ALL, readImage),
  services: declareKeyword('works', ALL, readServices),
  artifacts: declareKeyword('pending', DEFAULT, readArtifacts),
  cache: declareKeyword('works', ALL, readCaches),
  interruptible: declareKeyword('works', DEFAULT, readers.readBoolean),
  resource_group: declareKeyword('works', JOB, readers.limitString(255), enterAttribute),
  coverage: declareKeyword('works', JOB, readCoverage),
  environment: declareKeyword('pending', JOB, readEnvironment),

  pages: declareKeyword('pending', JOB, readPages),
  manual_confirmation: declareKeyword('accepted', JOB, readers.readString, enterAttribute),
  dast_configuration: declareKeyword('accepted', JOB, readDastConfiguration),
  identity: { ...declareKeyword('accepted', DEFAULT, readIdentity, enterAttribute), rejectedIn: ['default'] as const },
  publish: declareKeyword('accepted', JOB, readers.readString),
  inputs: declareKeyword('accepted', JOB, readJobInputs),

  trigger: declareKeyword('refused', JOB, skipValue),
  run: declareKeyword('refused', JOB, skipValue),
  release: declareKeyword('refused', JOB, skipValue),
  secrets: declareKeyword('refused', JOB, skipValue),
  id_tokens: declareKeyword('refused', DEFAULT, skipValue),
};

export type KeywordName = keyof typeof KEYWORDS;
/** What the readers of keywords make. */
export type KeywordValues = { [K in KeywordName]: (typeof KEYWORDS)[K] extends Keyword<infer T> ? T : never };

/** The keywords that can be written in a spot. */
export function listKeywords(spot: KeywordSpot): string[] {
  const table: Record<string, Keyword<unknown>> = KEYWORDS;
  return Object.keys(table).filter((name) => table[name]!.spots.includes(spot));
}

/** The name of a keyword that can be written in this spot; null for any other text. */
export function findKeyword(name: string, spot: KeywordSpot): KeywordName | null {
  if (!Object.hasOwn(KEYWORDS, name)) return null;
  const keyword = name as KeywordName;
  return KEYWORDS[keyword].spots.includes(spot) ? keyword : null;
}

function declareKeyword<T>(
  support: KeywordSupport,
  spots: readonly KeywordSpot[],
  read: Reader<T>,
  enter: Keyword<T>['enter'] = enterKey,
): Keyword<T> {
  return { spots, support, read, enter };
}
