import { queryOptions } from '@tanstack/react-query';
import { useListChange } from '../../../data/list-change.js';
import type { Application, ApplicationSource, NewApplication } from '../oauth/index.js';
import { ask } from '../../../data/session.js';

/** A browser in which one is signed in. */
export interface OwnSession {
  id: number;
  current: boolean;
  ip_address: string | null;
  user_agent: string;
  created_at: string;
  last_used_at: string;
  expires_at: string;
}

/** A program that one allowed something. */
export interface AllowedApplication {
  id: number;
  name: string;
  scopes: string[];
  allowed_at: string;
  last_used_at: string | null;
}

const SESSIONS = '/-/session/sessions';
const APPLICATIONS = '/-/session/applications';

/** Both are short: there is one page of each. */
const whole = <T>(path: string) =>
  queryOptions({
    queryKey: ['own access', path],
    queryFn: async () => ({ rows: await ask<T[]>('GET', path), next: null }),
  });

export const sessionsQuery = whole<OwnSession>(SESSIONS);

export const applicationsQuery = whole<AllowedApplication>(APPLICATIONS);

const useEnding = <In>(pathOf: (variables: In) => string) =>
  useListChange(['own access'], (variables: In) => ask('DELETE', pathOf(variables)));

/** Ends a session, or all but the one in use. */
export const useEndSessions = () =>
  useEnding((which: OwnSession | 'others') => (which === 'others' ? SESSIONS : `${SESSIONS}/${which.id}`));

export const useTakeBack = () => useEnding(({ id }: AllowedApplication) => `${APPLICATIONS}/${id}`);

const OWN_APPLICATIONS = '/-/session/own_applications';

/** Applications that the person made. */
export const ownApplications: ApplicationSource = {
  key: ['own'],
  list: async () => ({ rows: await ask<Application[]>('GET', OWN_APPLICATIONS), next: null }),
  create: (attributes) => ask<NewApplication>('POST', OWN_APPLICATIONS, attributes),
  renew: (id) => ask<NewApplication>('POST', `${OWN_APPLICATIONS}/${id}/renew_secret`, {}),
  remove: (id) => ask('DELETE', `${OWN_APPLICATIONS}/${id}`),
};
