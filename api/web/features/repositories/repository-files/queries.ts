import { queryOptions } from '@tanstack/react-query';
import { api, unwrapPage, unwrap } from '../../../data/api.js';
import { getText } from './content.js';
import type { RefPath } from './raw.js';

const PER_PAGE = 100;

const SHA = /^(?:[\da-f]{40}|[\da-f]{64})$/;

const begins = (text: string, name: string) => text === name || text.startsWith(`${name}/`);

const split = (text: string, ref: string): RefPath => ({ ref, file: text.slice(ref.length + 1) });

/**
 * Resolves `<ref>/<path>` in an address: refs contain slashes too, so if several could match, the branches and tags
 * with the same beginning are requested. The longest match wins, since no ref is a path prefix of another.
 */
export const refPathQuery = (path: string, text: string, defaultBranch: string | undefined) =>
  queryOptions({
    queryKey: ['ref and path', path, text, defaultBranch],
    staleTime: 60_000,
    queryFn: async (): Promise<RefPath> => {
      const [first = ''] = text.split('/');
      if (text === '') return { ref: defaultBranch ?? 'HEAD', file: '' };
      if (first === text || SHA.test(first)) return split(text, first);
      if (defaultBranch !== undefined && begins(text, defaultBranch)) return split(text, defaultBranch);
      const params = { path: { id: path }, query: { search: `^${first}`, per_page: PER_PAGE } };
      const found = await Promise.all([
        unwrap(api.GET('/projects/{id}/repository/branches', { params })),
        unwrap(api.GET('/projects/{id}/repository/tags', { params })),
      ]);
      const names = found.flat().map(({ name }) => name);
      const [ref = first] = names
        .filter((name) => begins(text, name))
        .toSorted((one, other) => other.length - one.length);
      return split(text, ref);
    },
  });

/** What lies in a folder, a page at a time. */
export const treeQuery = (path: string, { ref, file }: RefPath, page: number) =>
  queryOptions({
    queryKey: ['tree', path, ref, file, page],
    queryFn: () =>
      unwrapPage(
        api.GET('/projects/{id}/repository/tree', {
          params: { path: { id: path }, query: { ref, path: file, page, per_page: PER_PAGE } },
        }),
      ),
  });

/** The newest commit that changed a file or folder; null where there is none. */
export const lastCommitQuery = (path: string, { ref, file }: RefPath) =>
  queryOptions({
    queryKey: ['last commit', path, ref, file],
    queryFn: async () => {
      const [commit = null] = await unwrap(
        api.GET('/projects/{id}/repository/commits', {
          params: { path: { id: path }, query: { ref_name: ref, per_page: 1, ...(file === '' ? {} : { path: file }) } },
        }),
      );
      return commit;
    },
  });

/** A file with its content as text, null if it is binary; and as HTML, if it is Markdown to be rendered. */
export const fileQuery = (path: string, { ref, file }: RefPath, rendered: boolean) =>
  queryOptions({
    queryKey: ['file', path, ref, file, rendered],
    queryFn: async () => {
      const { content, ...found } = await unwrap(
        api.GET('/projects/{id}/repository/files/{file_path}', {
          params: { path: { id: path, file_path: file }, query: { ref, render_html: rendered } },
        }),
      );
      return { ...found, text: getText(content), html: found.content_html ?? null };
    },
  });

/** Who wrote each line of a file last. */
export const blameQuery = (path: string, { ref, file }: RefPath) =>
  queryOptions({
    queryKey: ['blame', path, ref, file],
    queryFn: () =>
      unwrap(
        api.GET('/projects/{id}/repository/files/{file_path}/blame', {
          params: { path: { id: path, file_path: file }, query: { ref } },
        }),
      ),
  });

/** The first branches of a project, to choose from. */
export const branchNamesQuery = (path: string) =>
  queryOptions({
    queryKey: ['branch names', path],
    queryFn: async () =>
      (
        await unwrap(
          api.GET('/projects/{id}/repository/branches', {
            params: { path: { id: path }, query: { per_page: PER_PAGE } },
          }),
        )
      ).map(({ name }) => name),
  });
