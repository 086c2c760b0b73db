import { queryOptions, useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useSearchParams } from 'react-router';
import type { Schemas } from '#api';
import { api, unwrapPage, unwrap } from '../../../data/api.js';
import { ApiProblem } from '../../../data/problem.js';
import { Activity, activityPageIn } from '../../notes/events/index.js';
import { projectColumns, projectsOfUserQuery } from '../groups/index.js';
import { DetailList } from '../../../ui/DetailList.js';
import { pageIn } from '../../../app/routing/list-address.js';
import { Page, Section } from '../../../ui/Page.js';
import { RecordList } from '../../../app/lists/RecordList.js';
import { State } from '../../../ui/State.js';
import { LoadingRows } from '../../../ui/Table.js';
import { UnbrokenText } from '../../../ui/UnbrokenText.js';
import { useSession } from '../../../data/session.js';
import { Absent } from '../../../app/problems/Absent.js';

type User = Schemas['User'];

const EVENTS = 10;

/** A user by user name, with the visible part of the profile. */
const userQuery = (username: string) =>
  queryOptions({
    queryKey: ['user', username],
    queryFn: async (): Promise<User> => {
      const [found] = await unwrap(api.GET('/users', { params: { query: { username } } }));
      if (!found) throw new ApiProblem('404 User Not Found', 404, null);
      return unwrap(api.GET('/users/{id}', { params: { path: { id: found.id } } }));
    },
  });

const eventsOfUserQuery = (username: string, page: number) =>
  queryOptions({
    queryKey: ['user', username, 'events', page],
    queryFn: () =>
      unwrapPage(
        api.GET('/users/{id}/events', { params: { path: { id: username }, query: { page, per_page: EVENTS } } }),
      ),
  });

/** `/<username>`: a person, their projects and what they did. */
export default function UserPage({ username }: { username: string }) {
  const { data: user, error, refetch } = useQuery(userQuery(username));
  if (error && !user) return <Absent what="People" error={error} retry={() => void refetch()} />;
  if (!user)
    return (
      <Page title={username}>
        <LoadingRows label="Loading the profile" rows={6} />
      </Page>
    );
  return (
    <Page title={user.name} lead={<UnbrokenText>{`@${user.username}`}</UnbrokenText>}>
      <Profile user={user} />
      <Projects username={user.username} />
      <Events username={user.username} />
    </Page>
  );
}

const PROFILE_FIELDS: readonly (readonly [label: string, name: keyof User])[] = [
  ['About', 'bio'],
  ['Job', 'job_title'],
  ['Organization', 'organization'],
  ['Location', 'location'],
  ['Pronouns', 'pronouns'],
  ['Email', 'public_email'],
  ['Local time', 'local_time'],
];

const NOTHING_OWN = 'Others only see your name. An administrator can add your job title, location and contact details.';

function Profile({ user }: { user: User }) {
  const own = useSession().data?.user?.id === user.id;
  const details: (readonly [string, ReactNode])[] = [];
  if (user.state !== 'active')
    details.push([
      'State',
      <State key="state" tone="warn">
        {user.state}
      </State>,
    ]);
  if (user.bot) details.push(['Kind', 'bot (of an access token)']);
  for (const [label, name] of PROFILE_FIELDS) {
    const value = user[name];
    if (typeof value === 'string' && value !== '')
      details.push([label, <UnbrokenText key={name}>{value}</UnbrokenText>]);
  }
  if (user.website_url && /^https?:\/\//.test(user.website_url))
    details.push([
      'Website',
      <a key="website" href={user.website_url} rel="noreferrer nofollow">
        <UnbrokenText>{user.website_url}</UnbrokenText>
      </a>,
    ]);
  if (details.length === 0) return <p>{own ? NOTHING_OWN : 'This profile is empty or private.'}</p>;
  return <DetailList details={details} />;
}

function Projects({ username }: { username: string }) {
  const page = pageIn(useSearchParams()[0]);
  return (
    <Section title="Projects">
      <RecordList
        title="Projects"
        query={useQuery(projectsOfUserQuery(username, page))}
        keyOf={({ id }) => id}
        columns={projectColumns}
        empty="No personal projects that you can see."
      />
    </Section>
  );
}

function Events({ username }: { username: string }) {
  const page = activityPageIn(useSearchParams()[0]);
  return <Activity query={useQuery(eventsOfUserQuery(username, page))} />;
}
