import { useQuery } from '@tanstack/react-query';
import { useEffect, useMemo, useRef } from 'react';
import { useLocation, useNavigate } from 'react-router';
import { Html } from '../../../ui/Html.js';
import { Problem } from '../../../app/problems/Problem.js';
import { LoadingRows } from '../../../ui/Table.js';
import styles from './Help.module.css';
import { pageQuery } from './queries.js';

/** What the ids of headings in rendered Markdown begin with. */
const OWN_ID = 'user-content-';

/** The same HTML in which code may break after the signs within paths and names, before it would break inside of words. */
const withBreaks = (html: string): string =>
  html.replaceAll(
    /(<code[^>]*>)([^<]*)/g,
    (_, tag: string, code: string) => tag + code.replaceAll(/[/_.=-](?=\w)/g, '$&<wbr>'),
  );

/** One page as it was rendered. `#section` leads to a heading. */
export function HelpContent({ slug }: { slug: string }) {
  const { data, error, isPending, refetch } = useQuery(pageQuery(slug));
  const content = useRef<HTMLDivElement>(null);
  const { hash } = useLocation();
  const navigate = useNavigate();
  const html = useMemo(() => withBreaks(data?.html ?? ''), [data?.html]);
  useEffect(() => {
    // Nothing is there before the page is.
    const id = html === '' ? '' : hash.slice(1);
    const heading = id === '' ? null : document.getElementById(id.startsWith(OWN_ID) ? id : OWN_ID + id);
    if (!heading) return;
    heading.tabIndex = -1;
    heading.scrollIntoView();
    heading.focus();
  }, [hash, html]);
  useEffect(() => {
    const element = content.current;
    // A link from page to page loads nothing anew.
    const handleClick = (event: MouseEvent) => {
      const link = event.target instanceof Element ? event.target.closest<HTMLAnchorElement>('a[href]') : null;
      if (!link || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
      const { origin, pathname, hash: target } = new URL(link.href);
      if (origin !== location.origin || !/^\/help(?:\/|$)/.test(pathname)) return;
      event.preventDefault();
      void navigate(pathname + target.replace(OWN_ID, ''));
    };
    element?.addEventListener('click', handleClick);
    return () => element?.removeEventListener('click', handleClick);
  }, [navigate]);
  return (
    <div ref={content} className={styles.content}>
      {error && <Problem error={error} retry={() => void refetch()} />}
      {isPending && <LoadingRows label="Loading the page" rows={8} />}
      {data && <Html label={data.title} html={html} />}
    </div>
  );
}
