import { ButtonLink } from '../../../ui/Button.js';
import { Page } from '../../../ui/Page.js';
import styles from './Welcome.module.css';

const POINTS = [
  ['Projects', 'Real git repositories with branches, tags and protections, in groups of any depth.'],
  ['Schedules', 'Pipelines that fire on the second, exactly once, and say why when they did not.'],
  ['One API', 'The REST and GraphQL interfaces that existing clients already speak, unchanged.'],
] as const;

/** A description of this service for anonymous visitors. */
export function Welcome() {
  return (
    <Page
      title="Capstan"
      lead="A development platform: projects with git repositories, pipelines on a schedule, and the API around them."
    >
      <div className={styles.actions}>
        <ButtonLink kind="primary" to="/users/sign_in">
          Sign in
        </ButtonLink>
        <a href="/-/api-docs">Read the API reference</a>
        <a href="/help">Read the help</a>
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
