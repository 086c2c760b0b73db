import styles from './Parts.module.css';

/** Where a part stands on its page, for links to it. */
export const anchorOf = (title: string): string => title.toLowerCase().replaceAll(/[^a-z]+/g, '-');

/** The parts of a long page, to go to one of them. */
export function PartLinks({ titles }: { titles: readonly string[] }) {
  return (
    <nav aria-label="On this page">
      <ul className={styles.parts}>
        {titles.map((title) => (
          <li key={title}>
            <a href={`#${anchorOf(title)}`}>{title}</a>
          </li>
        ))}
      </ul>
    </nav>
  );
}
