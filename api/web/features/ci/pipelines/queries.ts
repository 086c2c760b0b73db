import { queryOptions, useQueryClient } from '@tanstack/react-query';
import type { Schemas } from '#api';
import { api, unwrapPage, unwrap } from '../../../data/api.js';
import { gql, graphql } from '../../../data/graphql.js';
import { useMutation } from '../../../data/mutation.js';
import { walked } from '../../../data/walked.js';

/** A stage of a pipeline, in the state that its jobs make. */
export interface StageState {
  name: string;
  status: string;
}

export type ListedPipeline = Schemas['BasicPipeline'] & { stages: readonly StageState[] };
export type Pipeline = Schemas['Pipeline'];
export type Job = Schemas['Job'];
export type JobQueue = Schemas['JobQueue'];
export type Explanation = Schemas['PipelineExplanation'];

const PER_PAGE = 20;
const PIPELINES = 'pipelines';

/** States of pipelines that have not ended. */
export const UNDER_WAY: ReadonlySet<string> = new Set([
  'created',
  'waiting_for_resource',
  'preparing',
  'pending',
  'running',
  'canceling',
]);

/** Queries that are refetched when pipelines of a project or their jobs change. */
export const getLiveQueries = (path: string) => ({ pipelines: [[PIPELINES, path]] });

export const STATUSES = ['running', 'pending', 'success', 'failed', 'canceled', 'skipped', 'manual'] as const;

export type PipelineStatusFilter = (typeof STATUSES)[number] | null;

const STAGES = gql(/* GraphQL */ `
  query PipelineStages($path: ID!, $ids: [ID!], $count: Int!) {
    project(fullPath: $path) {
      pipelines(ids: $ids, first: $count) {
        nodes {
          iid
          stages {
            nodes {
              name
              status
            }
          }
        }
      }
    }
  }
`);

/** The stages of pipelines by their numbers in the project, which REST lists without them. */
async function loadStages(path: string, ids: readonly number[]): Promise<Map<number, StageState[]>> {
  if (ids.length === 0) return new Map();
  const { project } = await graphql(STAGES, { path, ids: ids.map(String), count: ids.length });
  return new Map(
    project?.pipelines?.nodes?.flatMap((pipeline) =>
      pipeline === null
        ? []
        : [
            [
              Number(pipeline.iid),
              pipeline.stages?.nodes?.flatMap((stage) =>
                stage === null ? [] : [{ name: stage.name ?? '', status: stage.status ?? '' }],
              ) ?? [],
            ],
          ],
    ),
  );
}

/** A page of pipelines with the states of their stages. */
async function loadPage(path: string, status: PipelineStatusFilter, page: number) {
  const { rows, ...rest } = await unwrapPage(
    api.GET('/projects/{id}/pipelines', {
      params: { path: { id: path }, query: { page, per_page: PER_PAGE, ...(status === null ? {} : { status }) } },
    }),
  );
  const stages = await loadStages(
    path,
    rows.map(({ id }) => id),
  );
  return { ...rest, rows: rows.map((row): ListedPipeline => ({ ...row, stages: stages.get(row.iid) ?? [] })) };
}

export const pipelinesQuery = (path: string, status: PipelineStatusFilter, page: number) =>
  queryOptions({
    queryKey: [PIPELINES, path, 'list', status, page],
    queryFn: () => loadPage(path, status, page),
  });

export const pipelineQuery = (path: string, id: number) =>
  queryOptions({
    queryKey: [PIPELINES, path, 'one', id],
    queryFn: () =>
      unwrap(api.GET('/projects/{id}/pipelines/{pipeline_id}', { params: { path: { id: path, pipeline_id: id } } })),
  });

export const jobsOfPipelineQuery = (path: string, id: number, page: number) =>
  queryOptions({
    queryKey: [PIPELINES, path, 'jobs of', id, page],
    queryFn: () =>
      unwrapPage(
        api.GET('/projects/{id}/pipelines/{pipeline_id}/jobs', {
          params: { path: { id: path, pipeline_id: id }, query: { page, per_page: PER_PAGE } },
        }),
      ),
  });

/** All jobs of a pipeline, up to a thousand, as a graph shows them. */
export const allJobsOfPipelineQuery = (path: string, id: number, retried = false) =>
  queryOptions({
    queryKey: [PIPELINES, path, 'all jobs of', id, retried],
    queryFn: () =>
      walked((page) =>
        unwrapPage(
          api.GET('/projects/{id}/pipelines/{pipeline_id}/jobs', {
            params: {
              path: { id: path, pipeline_id: id },
              query: { page, per_page: 100, ...(retried ? { include_retried: true } : {}) },
            },
          }),
        ),
      ),
  });

export const jobsQuery = (path: string, page: number) =>
  queryOptions({
    queryKey: [PIPELINES, path, 'jobs', page],
    queryFn: () =>
      unwrapPage(
        api.GET('/projects/{id}/jobs', { params: { path: { id: path }, query: { page, per_page: PER_PAGE } } }),
      ),
  });

export const jobQuery = (path: string, id: number) =>
  queryOptions({
    queryKey: [PIPELINES, path, 'job', id],
    queryFn: () => unwrap(api.GET('/projects/{id}/jobs/{job_id}', { params: { path: { id: path, job_id: id } } })),
  });

/** Why a pipeline has its jobs. */
export const explanationQuery = (path: string, id: number) =>
  queryOptions({
    queryKey: ['explanations', path, id],
    queryFn: () =>
      unwrap(
        api.GET('/projects/{id}/pipelines/{pipeline_id}/explain', {
          params: { path: { id: path, pipeline_id: id } },
        }),
      ),
    retry: false,
  });

/** Why a job is in its pipeline. */
export const jobExplanationQuery = (path: string, id: number) =>
  queryOptions({
    queryKey: ['explanations', path, 'job', id],
    queryFn: () =>
      unwrap(api.GET('/projects/{id}/jobs/{job_id}/explain', { params: { path: { id: path, job_id: id } } })),
    retry: false,
  });

/** Why a job waits for a runner. */
export const jobQueueQuery = (path: string, id: number) =>
  queryOptions({
    queryKey: [PIPELINES, path, 'queue of', id],
    queryFn: () =>
      unwrap(api.GET('/projects/{id}/jobs/{job_id}/queue', { params: { path: { id: path, job_id: id } } })),
  });

/** What can be done with a job. */
export type JobMove =
  | { does: 'cancel' | 'retry' | 'erase' }
  | { does: 'play'; variables: { key: string; value: string }[] };

/** Cancels, retries, starts or erases a job; a retry answers the new one. */
export function useMoveJob(path: string, id: number) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (move: JobMove): Promise<{ id: number }> => {
      const params = { path: { id: path, job_id: id } };
      switch (move.does) {
        case 'cancel':
          return unwrap(api.POST('/projects/{id}/jobs/{job_id}/cancel', { params }));
        case 'retry':
          return unwrap(api.POST('/projects/{id}/jobs/{job_id}/retry', { params }));
        case 'erase':
          return unwrap(api.POST('/projects/{id}/jobs/{job_id}/erase', { params }));
        default: {
          const body = move.variables.length === 0 ? {} : { job_variables_attributes: move.variables };
          return unwrap(api.POST('/projects/{id}/jobs/{job_id}/play', { params, body }));
        }
      }
    },
    onSuccess: () => queries.invalidateQueries({ queryKey: [PIPELINES, path] }),
  });
}

export type PipelineMove = 'cancel' | 'retry' | 'delete';

/** Cancels what has not ended of a pipeline, does again what did not succeed, or deletes it with its jobs. */
export function useMovePipeline(path: string, id: number) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (move: PipelineMove): Promise<unknown> => {
      const params = { path: { id: path, pipeline_id: id } };
      if (move === 'delete') return unwrap(api.DELETE('/projects/{id}/pipelines/{pipeline_id}', { params }));
      return move === 'cancel'
        ? unwrap(api.POST('/projects/{id}/pipelines/{pipeline_id}/cancel', { params }))
        : unwrap(api.POST('/projects/{id}/pipelines/{pipeline_id}/retry', { params }));
    },
    // The deleted record is not refetched.
    onSuccess: (_done, move) =>
      queries.invalidateQueries({
        queryKey: [PIPELINES, path],
        ...(move === 'delete' ? { refetchType: 'none' as const } : {}),
      }),
  });
}
