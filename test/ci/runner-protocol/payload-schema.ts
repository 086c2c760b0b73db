import { z } from 'zod';

/* The types into which runners decode a job: with another one the runner drops the job without a word. */

const integer = z.int();
const texts = z.array(z.string());
/** Null leaves a list, or a struct, as it is. */
const orNull = <S extends z.ZodType>(schema: S) => schema.nullable().optional();

const variable = z.strictObject({
  key: z.string(),
  value: z.string(),
  public: z.boolean(),
  file: z.boolean(),
  masked: z.boolean(),
  raw: z.boolean(),
});

const image = {
  name: z.string(),
  alias: orNull(z.string()),
  command: orNull(texts),
  entrypoint: orNull(texts),
  variables: orNull(z.array(variable)),
  pull_policy: orNull(texts),
  executor_opts: z.strictObject({
    docker: z.strictObject({ platform: z.string().optional(), user: z.string().optional() }).optional(),
    kubernetes: z.strictObject({ user: z.string().optional() }).optional(),
  }),
};

/** A job as runners decode it; keys that this service sends beyond it are refused too, so that each is decided on. */
export const payloadSchema = z.strictObject({
  id: integer,
  token: z.string().min(1),
  allow_git_fetch: z.boolean(),
  inputs: z.array(
    z.strictObject({ key: z.string(), value: z.strictObject({ content: z.unknown(), type: z.string() }) }),
  ),
  credentials: z.array(
    z.strictObject({ type: z.string(), url: z.string(), username: z.string(), password: z.string() }),
  ),
  job_info: z.strictObject({
    name: z.string(),
    stage: z.string(),
    pipeline_id: integer,
    project_id: integer,
    project_name: z.string(),
    project_full_path: z.string(),
    namespace_id: integer,
    root_namespace_id: integer,
    organization_id: integer,
    instance_id: z.string(),
    instance_uuid: z.string(),
    user_id: integer,
    scoped_user_id: integer.nullable(),
    time_in_queue_seconds: z.number(),
    project_jobs_running_on_instance_runners_count: z.string(),
    queue_size: integer,
    queue_depth: integer,
  }),
  git_info: z.strictObject({
    repo_url: z.url(),
    repo_object_format: z.enum(['sha1', 'sha256']),
    ref: z.string(),
    sha: z.string(),
    before_sha: z.string(),
    ref_type: z.enum(['branch', 'tag']),
    refspecs: texts,
    depth: integer,
    protected: z.boolean(),
  }),
  runner_info: z.strictObject({ timeout: integer, uuid: z.string(), runner_session_url: z.null() }),
  steps: z
    .array(
      z.strictObject({
        name: z.enum(['script', 'after_script']),
        script: texts,
        timeout: integer,
        when: z.enum(['always', 'on_success', 'on_failure']),
        allow_failure: z.boolean(),
      }),
    )
    .min(1),
  hooks: z.array(z.strictObject({ name: z.string(), script: texts })),
  image: z.strictObject(image).nullable(),
  services: z.array(z.strictObject(image)),
  artifacts: z.array(z.never()),
  cache: z.array(
    z.strictObject({
      key: z.string(),
      untracked: z.boolean(),
      policy: z.string(),
      paths: texts,
      when: z.enum(['always', 'on_success', 'on_failure']),
      fallback_keys: texts,
    }),
  ),
  dependencies: z.array(z.never()),
  variables: z.array(variable),
  features: z.strictObject({
    trace_sections: z.boolean(),
    token_mask_prefixes: texts,
    failure_reasons: texts,
  }),
});
