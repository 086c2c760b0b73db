import { ButtonLink } from '../../../ui/Button.js';
import { Page } from '../../../ui/Page.js';
import styles from './Welcome.module.css';

const POINTS = [
  ['Projects', 'Git repositories with branches, tags and protection rules, in nested groups.'],
  ['Schedules', "Pipelines that start on the second, exactly once, and explain why when they don't."],
  ['One API', 'REST and GraphQL APIs that work with existing clients, unchanged.'],
] as const;

/** A description of this service for anonymous visitors. */
export function Welcome() {
  return (
    <Page title="Capstan" lead="A development platform with Git repositories, scheduled pipelines and an API.">
      <div className={styles.actions}>
        <ButtonLink kind="primary" to="/users/sign_in">
          Sign in
        </ButtonLink>
        <a href="/-/api-docs">API reference</a>
        <a href="/help">Help</a>
      </div>
      <ul className={styles.points}>
        {POINTS.map(([title, text]) => (
          <li key={title} className={styles.point}>
            <h2>{title}</h2>
            <p>{text}</p>
          </li>
        ))}
      </ul>
    </Page>
  );
}
