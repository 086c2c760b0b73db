import { route } from '../app/routing/route.js';

/** The description of the APIs, and the help. */
export const referenceRoutes = [
  route('/-/api-docs', {
    title: 'API reference',
    load: () => import('../features/core/api-docs/ApiDocs.js'),
    menus: { main: true, palette: true, reference: 'REST' },
  }),
  route('/-/api-docs/graphql', {
    title: 'GraphQL reference',
    load: () => import('../features/core/api-reference/GraphqlReference.js'),
    menus: { palette: true, reference: 'GraphQL' },
  }),
  route('/-/api-docs/deprecations', {
    title: 'Deprecations of the API',
    load: () => import('../features/core/api-reference/Deprecations.js'),
    menus: { palette: true, reference: 'Deprecations' },
  }),
  route('/-/api-docs/limits', {
    title: 'Limits of the API',
    load: () => import('../features/core/api-reference/Limits.js'),
    menus: { palette: true, reference: 'Limits' },
  }),
  route('/-/api-docs/versions', {
    title: 'Versions of the API',
    load: () => import('../features/core/api-reference/Versions.js'),
    menus: { palette: true, reference: 'Versions and plans' },
  }),
  route('/help', {
    title: 'Help',
    load: () => import('../features/core/help/HelpPage.js'),
    menus: { main: true, palette: true },
  }),
  route('/help/:page', {
    title: 'Help page',
    load: () => import('../features/core/help/HelpPage.js'),
  }),
];
