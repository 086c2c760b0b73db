import type { JobConfig } from '../../shared/ci/configuration-model/configuration.types.js';
import type { StoredDefinition } from '../../shared/ci/processing/job-definition.js';

/** What a job with nothing but a script has in either form. */
const PLAIN = {
  name: 'job',
  stage: 'test',
  before_script: [],
  script: ['true'],
  after_script: [],
  hooks: { pre_get_sources_script: [] },
  image: null,
  services: [],
  tags: [],
  cache: [],
  artifacts: null,
  variables: {},
  inherit_variables: true,
  when: 'on_success',
  start_in: null,
  allow_failure: false,
  needs: null,
  dependencies: null,
  parallel: null,
  retry: null,
  timeout: null,
  interruptible: false,
  resource_group: null,
  coverage: null,
  environment: null,
} satisfies Partial<JobConfig>;

/** A job as a configuration file has it. */
export const buildJobConfig = (values: Partial<JobConfig> = {}): JobConfig => ({
  ...PLAIN,
  rules: null,
  only: null,
  except: null,
  ...values,
});

/** A job as it is stored. */
export const buildJobDefinition = (values: Partial<StoredDefinition> = {}): StoredDefinition => ({
  ...PLAIN,
  base_name: values.name ?? PLAIN.name,
  node: null,
  matrix_variables: {},
  global_variables: {},
  ...values,
});
