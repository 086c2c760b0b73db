import { queryOptions } from '@tanstack/react-query';
import { api, unwrapPage, unwrap } from '../../../data/api.js';
import { textOf } from '../../repositories/repository-files/index.js';

/** Schedules that are searched for the next run; a project has few. */
const SCHEDULES = 100;
const EVENTS = 10;

const of = (path: string) => ({ path: { id: path } });

/** The content of a README: as text and, for Markdown, as HTML. */
export interface Readme {
  file: string;
  text: string;
  html: string | null;
}

/** README of a project, at the head of its default branch. */
export const readmeQuery = (path: string, ref: string, file: string) =>
  queryOptions({
    queryKey: ['readme', path, ref, file],
    queryFn: async (): Promise<Readme> => {
      const found = await unwrap(
        api.GET('/projects/{id}/repository/files/{file_path}', {
          params: { path: { id: path, file_path: file }, query: { ref, render_html: true } },
        }),
      );
      return { file, text: textOf(found.content) ?? 'This file is binary.', html: found.content_html ?? null };
    },
  });

/** What happened in a project last. */
export const eventsQuery = (path: string, page: number) =>
  queryOptions({
    queryKey: ['project', path, 'events', page],
    queryFn: () =>
      unwrapPage(api.GET('/projects/{id}/events', { params: { ...of(path), query: { page, per_page: EVENTS } } })),
  });

/** Its active schedule that runs next; null where there is none. For people who are signed in. */
export const nextRunQuery = (path: string) =>
  queryOptions({
    queryKey: ['project', path, 'next run'],
    queryFn: async () => {
      const schedules = await unwrap(
        api.GET('/projects/{id}/pipeline_schedules', {
          params: { ...of(path), query: { scope: 'active', per_page: SCHEDULES } },
        }),
      );
      const due = schedules.filter(({ next_run_at: at }) => at !== null);
      const [next = null] = due.toSorted((one, other) =>
        String(one.next_run_at).localeCompare(String(other.next_run_at)),
      );
      return next;
    },
  });

/** Its newest pipeline that failed; null where there is none. */
export const lastFailureQuery = (path: string) =>
  queryOptions({
    queryKey: ['project', path, 'last failure'],
    queryFn: async () => {
      const [failed = null] = await unwrap(
        api.GET('/projects/{id}/pipelines', { params: { ...of(path), query: { status: 'failed', per_page: 1 } } }),
      );
      return failed;
    },
  });
