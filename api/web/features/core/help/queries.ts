import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { ask } from '../../../data/session.js';

interface HelpSection {
  id: string;
  title: string;
  /** 2 for a section, 3 for a part of one. */
  level: number;
}

export interface HelpGroup {
  title: string;
  pages: readonly { slug: string; title: string; sections: readonly HelpSection[] }[];
}

interface HelpContent {
  slug: string;
  title: string;
  html: string;
}

export interface HelpMatch {
  slug: string;
  title: string;
  section: { id: string; title: string } | null;
  excerpt: string;
}

/** All pages with their sections. They change with the service alone, as does what follows. */
export const contentsQuery = queryOptions({
  queryKey: ['help', 'contents'],
  queryFn: async () => (await ask<{ groups: readonly HelpGroup[] }>('GET', '/-/help/contents.json')).groups,
  staleTime: Infinity,
});

export const pageQuery = (slug: string) =>
  queryOptions({
    queryKey: ['help', 'page', slug],
    queryFn: () => ask<HelpContent>('GET', `/-/help/pages/${encodeURIComponent(slug)}.json`),
    staleTime: Infinity,
  });

export const searchQuery = (search: string) =>
  queryOptions({
    queryKey: ['help', 'search', search],
    queryFn: async () =>
      (await ask<{ matches: readonly HelpMatch[] }>('GET', `/-/help/search.json?${new URLSearchParams({ search })}`))
        .matches,
    enabled: search !== '',
    placeholderData: keepPreviousData,
    staleTime: Infinity,
  });
