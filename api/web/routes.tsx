import type { ComponentType, ReactElement, ReactNode } from 'react';
import { Route, Routes, useLocation } from 'react-router';
import { archivesAt } from './archives/address.js';
import { doraAt } from './dora/address.js';
import { environmentsAt } from './environments/address.js';
import { issuesAt } from './issues/address.js';
import { commitAt } from './commits/address.js';
import { containerAt } from './containers/address.js';
import type { ContainerLocation } from './containers/address.js';
import { Failure } from './ui/Failure.js';
import { Shell } from './ui/Shell.js';
import { mergeRequestsAt } from './merge-requests/address.js';
import { ALL, schedulesAt } from './pipeline-schedules/address.js';
import { beginLoading, later, page } from './ui/later.js';
import { settingsAt } from './repository-settings/address.js';

// Asked for beside who is signed in, which it waits for anyway.
const Home = page(() => import('./home/Home.js'));
const NotFound = page(async () => ({ default: (await import('./not-found/NotFound.js')).NotFound }));
const PersonalAccessTokens = page(() => import('./personal-access-tokens/PersonalAccessTokens.js'));
const Consent = page(() => import('./oauth/Consent.js'));
const ApiDocs = page(() => import('./api-docs/ApiDocs.js'));
const HelpPage = page(() => import('./help/HelpPage.js'));
const ApiReference = page(() => import('./api-reference/ApiReference.js'));
const AdminJobs = page(() => import('./queue-jobs/AdminJobs.js'));
const Dora = page(() => import('./dora/Dora.js'));
const Archives = page(() => import('./archives/Archives.js'));
const Environments = page(() => import('./environments/Environments.js'));
const CommitPage = page(() => import('./commits/CommitPage.js'));
const Issues = page(() => import('./issues/Issues.js'));
const MergeRequests = page(() => import('./merge-requests/MergeRequests.js'));
const RefusedRequest = page(() => import('./refused-requests/RefusedRequest.js'));
const RepositorySettings = page(() => import('./repository-settings/RepositorySettings.js'));
const Schedules = page(() => import('./pipeline-schedules/Schedules.js'));
// Apart from the first view, which may be of something else.
const WithBar = later<{ children: ReactNode }>(() => import('./containers/ContainerBar.js'));
const PathPage = page(() => import('./namespaces/PathPage.js'));
const GroupPage = page(() => import('./groups/GroupPage.js'));
const Tree = page(() => import('./repository-files/Tree.js'));
const FilePage = page(() => import('./repository-files/FilePage.js'));
const Blame = page(() => import('./repository-files/Blame.js'));
const CommitList = page(() => import('./commits/CommitList.js'));
const Branches = page(() => import('./branches-and-tags/Branches.js'));
const Tags = page(() => import('./branches-and-tags/Tags.js'));
const PipelinePages = page(() => import('./pipelines/PipelinePages.js'));
const Members = page(() => import('./members/Members.js'));
const Packages = page(() => import('./packages/Packages.js'));
const Milestones = page(() => import('./milestones/Milestones.js'));
const Snippets = page(() => import('./snippets/Snippets.js'));
const Epics = page(() => import('./epics/Epics.js'));
const Boards = page(() => import('./boards/Boards.js'));
const Compare = page(() => import('./comparisons/Compare.js'));
const AccessTokens = page(() => import('./access-tokens/AccessTokens.js'));
const AuditPage = page(() => import('./audit-events/AuditPage.js'));
const Dashboard = page(() => import('./dashboard/Dashboard.js'));
const Notifications = page(() => import('./notification-settings/Notifications.js'));
const Admin = page(() => import('./admin/Admin.js'));
const Sessions = page(() => import('./user-sessions/Sessions.js'));
const AllowedApplications = page(() => import('./user-sessions/AllowedApplications.js'));
const Password = page(() => import('./users/Password.js'));
const SignIn = page(async () => ({ default: (await import('./sign-in/SignIn.js')).SignIn }));

/** Pages of a project by what stands behind `/-/`. */
const OF_PROJECT: Readonly<Record<string, ComponentType<{ location: ContainerLocation }>>> = {
  tree: Tree,
  blob: FilePage,
  blame: Blame,
  commits: CommitList,
  compare: Compare,
  branches: Branches,
  tags: Tags,
  pipelines: PipelinePages,
  jobs: PipelinePages,
  project_members: Members,
  boards: Boards,
  snippets: Snippets,
  packages: Packages,
  milestones: Milestones,
  audit_events: AuditPage,
  'settings/access_tokens': AccessTokens,
};

const OF_GROUP: typeof OF_PROJECT = {
  group_members: Members,
  boards: Boards,
  epics: Epics,
  milestones: Milestones,
  audit_events: AuditPage,
  'settings/access_tokens': AccessTokens,
};

/** Pages that show nothing further: `/-/branches/x` is none. */
const ALONE = new Set(['branches', 'tags', 'project_members', 'group_members', 'audit_events']);

/** The page of a project, group or user that an address names; null for those that are looked up by their areas. */
function pageAt(pathname: string): ReactElement | null {
  const location = containerAt(pathname);
  if (!location) return null;
  if (location.page === '')
    return location.kind === 'group' ? <GroupPage path={location.path} /> : <PathPage path={location.path} />;
  const pages = location.kind === 'group' ? OF_GROUP : OF_PROJECT;
  const page = location.page === 'settings' ? `settings/${location.rest}` : location.page;
  const Found = Object.hasOwn(pages, page) ? pages[page] : undefined;
  if (!Found || (location.rest !== '' && ALONE.has(location.page))) return null;
  return <Found key={pathname} location={location} />;
}

/** Pages below the path of a project or group, which has any number of segments. */
function BelowPath() {
  const { pathname } = useLocation();
  const page = pageAt(pathname) ?? areaAt(pathname);
  if (!containerAt(pathname)) return page;
  beginLoading(page);
  // Not before the bar, which would push it down.
  return <WithBar>{page}</WithBar>;
}

/** The page that one of the areas has at an address. */
function areaAt(pathname: string): ReactElement {
  const settings = settingsAt(pathname);
  if (settings) return <RepositorySettings container={settings} />;
  // Before what ends in `/edit`.
  const schedules = schedulesAt(pathname);
  if (schedules) return <Schedules key={pathname} location={schedules} />;
  const archives = archivesAt(pathname);
  if (archives) return <Archives key={pathname} location={archives} />;
  const dora = doraAt(pathname);
  if (dora) return <Dora key={pathname} container={dora} />;
  const environments = environmentsAt(pathname);
  if (environments !== null) return <Environments path={environments} />;
  const issues = issuesAt(pathname);
  if (issues) return <Issues location={issues} />;
  const requests = mergeRequestsAt(pathname);
  if (requests) return <MergeRequests location={requests} />;
  const commit = commitAt(pathname);
  return commit ? <CommitPage location={commit} /> : <NotFound />;
}

/** Every path of `pages.mjs` and what it shows. Pages that few visits begin with load when they are asked for. */
export function Pages() {
  const { pathname } = useLocation();
  return (
    <Shell>
      <Failure key={pathname}>
        <Routes>
          <Route path="/" element={<Home />} />
          <Route path="/users/sign_in" element={<SignIn />} />
          <Route path="/-/user_settings/personal_access_tokens" element={<PersonalAccessTokens />} />
          <Route path="/-/user_settings/active_sessions" element={<Sessions />} />
          <Route path="/-/user_settings/applications" element={<AllowedApplications />} />
          <Route path="/-/profile/password" element={<Password />} />
          <Route path="/-/profile/notifications" element={<Notifications />} />
          <Route path="/-/snippets" element={<Snippets />} />
          <Route path="/-/snippets/:id" element={<Snippets />} />
          <Route path="/dashboard/projects" element={<Dashboard key="projects" of="projects" />} />
          <Route path="/dashboard/groups" element={<Dashboard key="groups" of="groups" />} />
          <Route path="/-/api-docs" element={<ApiDocs />} />
          <Route path="/-/api-docs/:page" element={<ApiReference />} />
          <Route path="/help/:page?" element={<HelpPage />} />
          <Route path="/-/refused_requests" element={<RefusedRequest />} />
          <Route path="/-/refused_requests/:id" element={<RefusedRequest />} />
          <Route path="/oauth/consent/:uid" element={<Consent />} />
          <Route path="/admin/jobs/*" element={<AdminJobs />} />
          <Route path="/schedules" element={<Schedules location={{ of: ALL, page: 'list' }} />} />
          <Route path="/schedules/forecast" element={<Schedules location={{ of: ALL, page: 'forecast' }} />} />
          <Route path="/admin" element={<Admin />} />
          <Route path="/admin/:page" element={<Admin />} />
          <Route path="/admin/:page/:id" element={<Admin />} />
          <Route path="*" element={<BelowPath />} />
        </Routes>
      </Failure>
    </Shell>
  );
}
