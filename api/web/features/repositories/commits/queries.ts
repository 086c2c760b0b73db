import { queryOptions } from '@tanstack/react-query';
import { api, unwrapPage, unwrap } from '../../../data/api.js';

const PER_PAGE = 20;

const commitParams = (path: string, sha: string) => ({ path: { id: path, sha } });

/** One commit, with how many lines it changed. */
export const commitQuery = (path: string, sha: string) =>
  queryOptions({
    queryKey: ['commit', path, sha],
    queryFn: () => unwrap(api.GET('/projects/{id}/repository/commits/{sha}', { params: commitParams(path, sha) })),
  });

/** A page of the files that a commit changes. */
export const commitDiffsQuery = (path: string, sha: string, page: number) =>
  queryOptions({
    queryKey: ['commit', path, sha, 'diffs', page],
    queryFn: () =>
      unwrapPage(
        api.GET('/projects/{id}/repository/commits/{sha}/diff', {
          params: { ...commitParams(path, sha), query: { page, per_page: PER_PAGE } },
        }),
      ),
  });

/** The first merge requests that merged a commit, or would merge it. */
export const requestsOfCommitQuery = (path: string, sha: string) =>
  queryOptions({
    queryKey: ['commit', path, sha, 'merge requests'],
    queryFn: () =>
      unwrapPage(
        api.GET('/projects/{id}/repository/commits/{sha}/merge_requests', {
          params: { ...commitParams(path, sha), query: { per_page: PER_PAGE } },
        }),
      ),
  });
