import { queryOptions } from '@tanstack/react-query';
import { api, pageTaken, taken } from '../client/api.js';
import { MARKDOWN, textOf } from '../repository-files/content.js';

/** Schedules that are looked through for the next run; a project has few. */
const SCHEDULES = 100;
const EVENTS = 10;

const of = (path: string) => ({ path: { id: path } });

/** What a README says, as text, and as HTML where it is Markdown and somebody is signed in. */
export interface Readme {
  file: string;
  text: string;
  html: string | null;
}

/** README of a project, at the head of its default branch. */
export const readmeQuery = (path: string, ref: string, file: string, signedIn: boolean) =>
  queryOptions({
    queryKey: ['readme', path, ref, file, signedIn],
    queryFn: async (): Promise<Readme> => {
      const found = await taken(
        api.GET('/projects/{id}/repository/files/{file_path}', {
          params: { path: { id: path, file_path: file }, query: { ref } },
        }),
      );
      const text = textOf(found.content) ?? 'This file is not text.';
      // The service renders for people who are signed in (renderMarkdown).
      const html = signedIn && MARKDOWN.test(file) ? await htmlOf(path, text) : null;
      return { file, text, html };
    },
  });

/** Markdown as safe HTML, its references as seen from a project where one is named. */
export async function htmlOf(path: string | null, text: string): Promise<string> {
  const place = path === null ? {} : { project: path };
  const { html } = await taken(api.POST('/markdown', { body: { text, gfm: true, ...place } }));
  return html;
}

/** What happened in a project last. */
export const eventsQuery = (path: string) =>
  queryOptions({
    queryKey: ['project', path, 'events'],
    queryFn: () =>
      pageTaken(api.GET('/projects/{id}/events', { params: { ...of(path), query: { per_page: EVENTS } } })),
  });

/** Its active schedule that runs next, and its newest pipeline that failed; null where there is none. */
export const pipelineFactsQuery = (path: string) =>
  queryOptions({
    queryKey: ['project', path, 'pipeline facts'],
    queryFn: async () => {
      const [schedules, [failed = null]] = await Promise.all([
        taken(
          api.GET('/projects/{id}/pipeline_schedules', {
            params: { ...of(path), query: { scope: 'active', per_page: SCHEDULES } },
          }),
        ),
        taken(
          api.GET('/projects/{id}/pipelines', { params: { ...of(path), query: { status: 'failed', per_page: 1 } } }),
        ),
      ]);
      const due = schedules.filter(({ next_run_at: at }) => at !== null);
      const [next = null] = due.toSorted((one, other) =>
        String(one.next_run_at).localeCompare(String(other.next_run_at)),
      );
      return { next, failed };
    },
  });
