import type { Container } from '../../../data/containers.js';
import { queryOptions, useQueryClient } from '@tanstack/react-query';
import { api, unwrap } from '../../../data/api.js';
import { useMutation } from '../../../data/mutation.js';
import { ApiProblem, getProblem, unreachable } from '../../../data/problem.js';

/** First word of the keys of everything here. */
const ARCHIVES = 'archives';

export interface RelationDone {
  relation: string;
  total: number;
  done: number;
}

/** How far the caller's export is. */
export interface ExportProgress {
  state: 'none' | 'queued' | 'started' | 'finished' | 'failed' | 'cancelled';
  /** Whether there is an archive, perhaps of an earlier export. */
  archived: boolean;
  /** Why the newest one failed. */
  reason: string | null;
  relations: readonly RelationDone[];
  /** Bytes, if known. */
  size: number | null;
  finishedAt: string | null;
  expiresAt: string | null;
}

const params = (path: string) => ({ params: { path: { id: path } } });

async function groupExport(path: string): Promise<ExportProgress> {
  const response = await unwrap(api.GET('/groups/{id}/export', params(path)));
  return {
    state: response.status,
    archived: response.status === 'finished',
    reason: response.status === 'failed' ? response.error : null,
    relations: response.relations,
    size: response.file_size,
    finishedAt: response.finished_at,
    expiresAt: response.expires_at,
  };
}

async function projectExport(path: string): Promise<ExportProgress> {
  const response = await unwrap(api.GET('/projects/{id}/export', params(path)));
  const { export_status: status, export_error: reason } = response;
  const again = status === 'regeneration_in_progress';
  return {
    state: again ? 'started' : reason === null ? status : 'failed',
    archived: again || status === 'finished',
    reason,
    relations: response.relations,
    size: null,
    finishedAt: null,
    expiresAt: null,
  };
}

export const isRunning = (state: ExportProgress['state'] | undefined): boolean =>
  state === 'queued' || state === 'started';

/** How far the caller's export of a project or group is. */
export const exportQuery = ({ kind, path }: Container) =>
  queryOptions({
    queryKey: [ARCHIVES, 'export', kind, path],
    queryFn: () => (kind === 'group' ? groupExport(path) : projectExport(path)),
  });

/** Queries that are refetched when the export of a project or group progresses. */
export const exportLiveQueries = (of: Container) => ({ [`${of.kind}_exports`]: [exportQuery(of).queryKey] });

function useExportChange<Out>(of: Container, change: () => Promise<Out>) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: change,
    onSettled: () => queries.invalidateQueries({ queryKey: exportQuery(of).queryKey }),
  });
}

export const useStartExport = (of: Container) =>
  useExportChange(of, () =>
    of.kind === 'group'
      ? unwrap<unknown>(api.POST('/groups/{id}/export', params(of.path)))
      : unwrap<unknown>(api.POST('/projects/{id}/export', params(of.path))),
  );

/** Cancels the export, or removes its archive. */
export const useDropExport = (of: Container) =>
  useExportChange(of, () =>
    of.kind === 'group'
      ? unwrap<unknown>(api.DELETE('/groups/{id}/export', params(of.path)))
      : unwrap<unknown>(api.DELETE('/projects/{id}/export', params(of.path))),
  );

/** Where the API serves an archive. */
const archiveUrl = ({ kind, path }: Container): string =>
  `/api/v4/${kind}s/${encodeURIComponent(path)}/export/download`;

const nameIn = (disposition: string | null) => /filename="([^"]+)"/.exec(disposition ?? '')?.[1] ?? 'export.tar.gz';

/**
 * An archive, with the file name sent by the service. Browsers store large blobs on disk. A link would display an error
 * as raw JSON, or not at all.
 * @throws ApiProblem
 */
async function fetchArchive(of: Container): Promise<{ name: string; content: Blob }> {
  const response = await fetch(archiveUrl(of), { credentials: 'same-origin' }).catch(() => {
    throw unreachable();
  });
  if (!response.ok) throw getProblem(response, await response.json().catch(() => null));
  const content = await response.blob().catch(() => {
    throw new ApiProblem('The download was interrupted.', 0, null);
  });
  return { name: nameIn(response.headers.get('content-disposition')), content };
}

/** Browsers read from the address for a while after the click. */
const URL_LIFETIME_MS = 60_000;

/** Has the browser keep the archive as a file. */
export const useDownload = (of: Container) =>
  useMutation({
    mutationFn: async () => {
      const { name, content } = await fetchArchive(of);
      const url = URL.createObjectURL(content);
      const link = Object.assign(document.createElement('a'), { href: url, download: name });
      link.click();
      setTimeout(() => URL.revokeObjectURL(url), URL_LIFETIME_MS);
      return name;
    },
  });

export interface Failure {
  file?: string | null;
  line?: number | null;
  relation?: string | null;
  reason: string;
}

export interface Counts {
  total: number;
  imported: number;
  skipped: number;
}

/** How far an import is. */
export interface ImportProgress {
  state: 'none' | 'waiting' | 'running' | 'finished' | 'failed';
  /** The current phase as text; null if unknown. */
  phase: string | null;
  /** Why it failed. */
  reason: string | null;
  groups: Counts | null;
  relations: readonly (Counts & { relation: string })[];
  failuresCount: number;
  failures: readonly Failure[];
  startedAt: string | null;
  finishedAt: string | null;
}

const GROUP_STATES = { created: 'waiting', started: 'running', finished: 'finished', failed: 'failed' } as const;

async function groupImport(path: string): Promise<ImportProgress> {
  const response = await unwrap(api.GET('/groups/{id}/import', params(path)));
  return {
    state: GROUP_STATES[response.status],
    phase: response.phase,
    reason: response.last_error,
    groups: response.groups as Counts,
    relations: response.relations as ImportProgress['relations'],
    failuresCount: response.failures_count,
    failures: response.failures as readonly Failure[],
    startedAt: response.started_at,
    finishedAt: response.finished_at,
  };
}

const PROJECT_STATES = {
  none: 'none',
  scheduled: 'waiting',
  started: 'running',
  finished: 'finished',
  failed: 'failed',
} as const;

/** Failures as returned by the public API. */
interface FailedRelation {
  relation_name?: string | null;
  exception_message?: string | null;
  source?: string | null;
  line_number?: number | null;
}

/** `{fetched: {labels: 2}, imported: {labels: 1}}`, as returned by the public API. */
function countsIn(stats: unknown): ImportProgress['relations'] {
  const { fetched = {}, imported = {} } = (stats ?? {}) as Record<string, Record<string, number> | undefined>;
  return Object.entries(fetched).map(([relation, total]) => {
    const done = imported[relation] ?? 0;
    return { relation, total, imported: done, skipped: 0 };
  });
}

async function projectImport(path: string): Promise<ImportProgress> {
  const response = await unwrap(api.GET('/projects/{id}/import', params(path)));
  const failed = response.failed_relations as FailedRelation[];
  return {
    state: PROJECT_STATES[response.import_status],
    phase: null,
    reason: response.import_error,
    groups: null,
    relations: countsIn(response.stats),
    failuresCount: failed.length,
    failures: failed.map((one) => ({
      file: one.source ?? null,
      line: one.line_number ?? null,
      relation: one.relation_name ?? null,
      reason: one.exception_message ?? 'unknown',
    })),
    startedAt: null,
    finishedAt: null,
  };
}

export const isUnderWay = (state: ImportProgress['state'] | undefined): boolean =>
  state === 'waiting' || state === 'running';

/** How far the import of a project or group is. */
export const importQuery = ({ kind, path }: Container) =>
  queryOptions({
    queryKey: [ARCHIVES, 'import', kind, path],
    queryFn: () => (kind === 'group' ? groupImport(path) : projectImport(path)),
  });

/** Queries that are refetched when the import of a project or group progresses. */
export const importLiveQueries = (of: Container) => ({ [`${of.kind}_imports`]: [importQuery(of).queryKey] });

/** Cancels the import of a project or group. */
export function useCancelImport(of: Container) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: () =>
      of.kind === 'group'
        ? unwrap<unknown>(api.DELETE('/groups/{id}/import', params(of.path)))
        : unwrap<unknown>(api.DELETE('/projects/{id}/import', params(of.path))),
    onSettled: () => queries.invalidateQueries({ queryKey: importQuery(of).queryKey }),
  });
}
