import { queryOptions, useQueryClient } from '@tanstack/react-query';
import type { Schemas } from '#api';
import type { Project } from '../../../data/api.js';
import { api, unwrap } from '../../../data/api.js';
import { useMutation } from '../../../data/mutation.js';
import { ApiProblem } from '../../../data/problem.js';
import { textOf } from '../../repositories/repository-files/index.js';

export type LintReport = Schemas['Lint'];
export type LintedJob = Schemas['LintJob'];
export type LintFinding = Schemas['LintProblem'];
export type ExcludedCiJob = Schemas['LintExclusion'];

/** Sources of a dry run. */
export const DRY_RUN_SOURCES = ['push', 'schedule', 'web', 'api'] as const;

export type DryRunSource = (typeof DRY_RUN_SOURCES)[number];

const DEFAULT_PATH = '.gitlab-ci.yml';
const NOT_FOUND = 404;
const CI_FILE = 'ci file';
const CI_BRANCH = 'ci branch';

/** Path of the configuration by the settings of a project; an address or a path in another project remains as it is. */
export const getCiPath = ({ ci_config_path: path }: Project): string => path || DEFAULT_PATH;

/** Whether a configuration is outside the project: `https://…` or `file@group/project`. */
export const isElsewhere = (file: string): boolean => /^https?:\/\/|@/.test(file);

/** The configuration file on a branch. */
export interface CiFile {
  /** null for a file that is binary or too large. */
  text: string | null;
  lastCommitId: string;
}

/** null for what does not exist. @throws ApiProblem for other refusals */
async function orNull<T>(answer: Promise<T>): Promise<T | null> {
  try {
    return await answer;
  } catch (error) {
    if (error instanceof ApiProblem && error.status === NOT_FOUND) return null;
    throw error;
  }
}

/** The configuration file on a branch; null if there is none. */
export const ciFileQuery = (path: string, branch: string, file: string) =>
  queryOptions({
    queryKey: [CI_FILE, path, branch, file],
    // An editor that is open is not changed from below; a commit notices the changes of others.
    refetchOnWindowFocus: false,
    queryFn: async (): Promise<CiFile | null> => {
      const params = { path: { id: path, file_path: file }, query: { ref: branch } };
      const found = await orNull(unwrap(api.GET('/projects/{id}/repository/files/{file_path}', { params })));
      return found && { text: textOf(found.content), lastCommitId: found.last_commit_id };
    },
  });

/** A branch with the caller's right to push to it; null if there is none, as in an empty repository. */
export const ciBranchQuery = (path: string, branch: string) =>
  queryOptions({
    queryKey: [CI_BRANCH, path, branch],
    queryFn: () =>
      orNull(
        unwrap(api.GET('/projects/{id}/repository/branches/{branch}', { params: { path: { id: path, branch } } })),
      ),
  });

/** First word of the keys of {@link latestPipelineQuery}. */
export const LATEST_PIPELINE = 'latest pipeline';

/** The newest pipeline of a branch; null if there is none. */
export const latestPipelineQuery = (path: string, branch: string) =>
  queryOptions({
    queryKey: [LATEST_PIPELINE, path, branch],
    queryFn: async () => {
      const [newest] = await unwrap(
        api.GET('/projects/{id}/pipelines', { params: { path: { id: path }, query: { ref: branch, per_page: 1 } } }),
      );
      return newest ?? null;
    },
  });

interface LintRequest {
  /** The branch for which the configuration is read; null in an empty repository. */
  branch: string | null;
  /** null checks the file on the branch: only Developers have other content checked. */
  content: string | null;
  /** null for no dry run: rules are not evaluated then. */
  source: DryRunSource | null;
}

/** The errors, warnings and jobs of a configuration. */
export const lintReportQuery = (path: string, { branch, content, source }: LintRequest) =>
  queryOptions({
    queryKey: ['ci lint', path, branch, source, content],
    staleTime: 30_000,
    // Every pause in typing leaves one.
    gcTime: 60_000,
    queryFn: (): Promise<LintReport> => {
      const options = { include_jobs: true, ...(source === null ? {} : { dry_run: true, source }) };
      if (content !== null)
        return unwrap(
          api.POST('/projects/{id}/ci/lint', {
            params: { path: { id: path } },
            body: { content, ...options, ...(branch === null ? {} : { ref: branch }) },
          }),
        );
      const query = { ...options, ...(branch === null ? {} : { content_ref: branch, dry_run_ref: branch }) };
      return unwrap(api.GET('/projects/{id}/ci/lint', { params: { path: { id: path }, query } }));
    },
  });

/** A commit of the configuration file. */
export interface CiCommit {
  file: string;
  branch: string;
  /** The branch that a new branch starts from; null for the first commit of a repository. */
  from: string | null;
  message: string;
  content: string;
  /** The last commit of the file that the editor knows; null for a new file. */
  lastCommitId: string | null;
}

/** Commits the file, unless another user changed it after `lastCommitId`. */
export function useCommitCiFile(path: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: ({ file, branch, from, message, content, lastCommitId }: CiCommit): Promise<unknown> => {
      const params = { path: { id: path, file_path: file } };
      const start = from === null || from === branch ? {} : { start_branch: from };
      const body = { branch, commit_message: message, content, ...start };
      return lastCommitId === null
        ? unwrap(api.POST('/projects/{id}/repository/files/{file_path}', { params, body }))
        : unwrap(
            api.PUT('/projects/{id}/repository/files/{file_path}', {
              params,
              body: { ...body, last_commit_id: lastCommitId },
            }),
          );
    },
    onSuccess: () =>
      Promise.all(
        [CI_BRANCH, 'branch names', 'project', 'tree', 'file', 'last commit'].map((key) =>
          queries.invalidateQueries({ queryKey: [key, path] }),
        ),
      ),
  });
}

const CONFLICT = /has changed since you started editing|file with this name (?:already exists|doesn't exist)/;

/** Whether a commit was refused because another user changed, added or deleted the file meanwhile. */
export const isConflict = (error: Error | null): boolean => error instanceof ApiProblem && CONFLICT.test(error.message);
