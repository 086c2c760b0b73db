import type { RefPathParams } from './AtRef.js';
import { commitPath, filePath } from '../../../app/routing/paths.js';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { ButtonLink } from '../../../ui/Button.js';
import { Page } from '../../../ui/Page.js';
import { LoadError } from '../../../app/problems/LoadError.js';
import { LoadingRows } from '../../../ui/Table.js';
import { Time } from '../../../ui/Time.js';
import { UnbrokenText } from '../../../ui/UnbrokenText.js';
import { AtRef, WhereInTree } from './AtRef.js';
import type { RefLocation } from './AtRef.js';
import styles from './AtRef.module.css';
import { blameQuery } from './queries.js';

/** `/<project>/-/blame/<ref>/<path>`: which commit each line of a file comes from. */
export default function Blame(location: RefPathParams) {
  return <AtRef {...location}>{(at) => <BlameView at={at} />}</AtRef>;
}

const formatLines = (first: number, last: number): string =>
  first === last ? `Line ${first}` : `Lines ${first} to ${last}`;

/** Each range with the number of its first line. */
function numbered<T extends { lines: readonly string[] }>(ranges: readonly T[]): (T & { first: number })[] {
  let next = 1;
  return ranges.map((range) => {
    const first = next;
    next += range.lines.length;
    return { ...range, first };
  });
}

function BlameView({ at }: { at: RefLocation }) {
  const { data, error, refetch } = useQuery(blameQuery(at.path, at));
  const file = filePath(at.path, `${at.ref}/${at.file}`);
  return (
    <Page
      title={`Blame of ${at.file.slice(at.file.lastIndexOf('/') + 1)}`}
      action={<ButtonLink to={file}>View file</ButtonLink>}
    >
      <WhereInTree at={at} page="blame" />
      {error && <LoadError what="Repositories" error={error} retry={() => void refetch()} />}
      {!data && !error && <LoadingRows label="Loading the lines" rows={8} />}
      {data && (
        <div className={styles.blame}>
          {numbered(data).map(({ commit, lines, first }, index) => (
            <div key={index} className={styles.group}>
              <div className={styles.by}>
                <Link to={commitPath(at.path, commit.id)}>
                  <UnbrokenText>{commit.message.split('\n')[0] || commit.id.slice(0, 8)}</UnbrokenText>
                </Link>
                <span>
                  <UnbrokenText>{commit.author_name}</UnbrokenText> <Time at={commit.committed_date} />
                </span>
              </div>
              <div className={styles.blamed}>
                <div className={styles.numbers}>
                  {lines.map((_line, below) => (
                    <a key={below} id={`L${first + below}`} href={`${file}#L${first + below}`} tabIndex={-1}>
                      {first + below}
                    </a>
                  ))}
                </div>
                <section
                  className={styles.text}
                  aria-label={formatLines(first, first + lines.length - 1)}
                  // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls must take the focus
                  tabIndex={0}
                >
                  <pre>{lines.join('\n')}</pre>
                </section>
              </div>
            </div>
          ))}
        </div>
      )}
    </Page>
  );
}
