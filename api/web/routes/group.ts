import { route } from '../app/routing/route.js';

/** What groups alone have. */
export const groupRoutes = [
  route('/groups/:path+', {
    title: 'Overview',
    load: () => import('../features/tenancy/groups/GroupPage.js'),
    menus: { group: true },
  }),
  route('/groups/:path+/-/epics', {
    title: 'Epics',
    load: () => import('../features/planning/epics/EpicList.js'),
    menus: { group: true },
  }),
  route('/groups/:path+/-/epics/new', {
    title: 'New epic',
    load: () => import('../features/planning/epics/NewEpicPage.js'),
    within: '/groups/:path+/-/epics',
  }),
  route('/groups/:path+/-/epics/:iid(\\d+)', {
    title: 'Epic',
    load: () => import('../features/planning/epics/EpicPage.js'),
    props: ({ path, iid }) => ({ path, iid: Number(iid), edit: false }),
    within: '/groups/:path+/-/epics',
  }),
  route('/groups/:path+/-/epics/:iid(\\d+)/edit', {
    title: 'Edit epic',
    load: () => import('../features/planning/epics/EpicPage.js'),
    props: ({ path, iid }) => ({ path, iid: Number(iid), edit: true }),
    within: '/groups/:path+/-/epics',
  }),
];
