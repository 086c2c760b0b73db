import { lazy, Suspense } from 'react';
import { Route, Routes, useLocation } from 'react-router';
import { archivesAt } from './archives/address.js';
import { Home } from './home/Home.js';
import { doraAt } from './dora/address.js';
import { environmentsAt } from './environments/address.js';
import { issuesAt } from './issues/address.js';
import { commitAt } from './commits/address.js';
import { Failure } from './look/Failure.js';
import { Shell } from './look/Shell.js';
import { mergeRequestsAt } from './merge-requests/address.js';
import { NotFound } from './not-found/NotFound.js';
import { settingsAt } from './repository-settings/address.js';
import { SignIn } from './sign-in/SignIn.js';

const PersonalAccessTokens = lazy(() => import('./personal-access-tokens/PersonalAccessTokens.js'));
const Consent = lazy(() => import('./oauth/Consent.js'));
const ApiDocs = lazy(() => import('./api-docs/ApiDocs.js'));
const ApiReference = lazy(() => import('./api-reference/ApiReference.js'));
const AdminJobs = lazy(() => import('./queue-jobs/AdminJobs.js'));
const Dora = lazy(() => import('./dora/Dora.js'));
const Archives = lazy(() => import('./archives/Archives.js'));
const Environments = lazy(() => import('./environments/Environments.js'));
const CommitPage = lazy(() => import('./commits/CommitPage.js'));
const Issues = lazy(() => import('./issues/Issues.js'));
const MergeRequests = lazy(() => import('./merge-requests/MergeRequests.js'));
const RepositorySettings = lazy(() => import('./repository-settings/RepositorySettings.js'));
const Password = lazy(() => import('./users/Password.js'));

/** Pages below the path of a project or group, which has any number of segments. */
function BelowPath() {
  const { pathname } = useLocation();
  const settings = settingsAt(pathname);
  if (settings) return <RepositorySettings place={settings} />;
  const archives = archivesAt(pathname);
  if (archives) return <Archives key={pathname} place={archives} />;
  const dora = doraAt(pathname);
  if (dora) return <Dora key={pathname} place={dora} />;
  const environments = environmentsAt(pathname);
  if (environments !== null) return <Environments path={environments} />;
  const issues = issuesAt(pathname);
  if (issues) return <Issues place={issues} />;
  const requests = mergeRequestsAt(pathname);
  if (requests) return <MergeRequests place={requests} />;
  const commit = commitAt(pathname);
  return commit ? <CommitPage place={commit} /> : <NotFound />;
}

/** Every path of `pages.mjs` and what it shows. Pages that few visits begin with load when they are asked for. */
export function Pages() {
  const { pathname } = useLocation();
  return (
    <Shell>
      <Failure key={pathname}>
        <Suspense>
          <Routes>
            <Route path="/" element={<Home />} />
            <Route path="/users/sign_in" element={<SignIn />} />
            <Route path="/-/user_settings/personal_access_tokens" element={<PersonalAccessTokens />} />
            <Route path="/-/profile/password" element={<Password />} />
            <Route path="/-/api-docs" element={<ApiDocs />} />
            <Route path="/-/api-docs/:page" element={<ApiReference />} />
            <Route path="/oauth/consent/:uid" element={<Consent />} />
            <Route path="/admin/jobs/*" element={<AdminJobs />} />
            <Route path="*" element={<BelowPath />} />
          </Routes>
        </Suspense>
      </Failure>
    </Shell>
  );
}
