/**
 * The paths that show a page, one segment as `:name` and one or more as `:name+`: what the server answers with
 * `index.html`, and what `routes.tsx` draws.
 */
export const pages = [
  '/',
  '/users/sign_in',
  '/-/user_settings/personal_access_tokens',
  '/-/profile/password',
  '/-/api-docs',
  '/oauth/consent/:uid',
  '/admin/jobs',
  '/admin/jobs/all',
  '/admin/jobs/recurring',
  '/admin/jobs/processes',
  '/admin/jobs/log',
  '/admin/jobs/queues/:queue',
  '/admin/jobs/:id',
  '/groups/:path+/-/settings/repository',
  '/:path+/-/settings/repository',
  '/groups/:path+/-/dora',
  '/:path+/-/dora',
  '/:path+/-/environments',
  '/:path+/-/commit/:sha',
  '/:path+/-/issues',
  '/:path+/-/issues/:iid',
  '/:path+/-/merge_requests',
  '/:path+/-/merge_requests/:iid',
  '/:path+/-/merge_requests/:iid/commits',
  '/:path+/-/merge_requests/:iid/diffs',
];
