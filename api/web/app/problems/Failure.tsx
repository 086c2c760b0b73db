import { Component } from 'react';
import type { ReactNode } from 'react';
import { Button } from '../../ui/Button.js';
import { checkForNewVersion, useNewVersion } from '../../ui/new-version.js';
import { Page } from '../../ui/Page.js';
import { Problem } from './Problem.js';

/** Shows a fault of the pages themselves, such as a page that no longer loads after an upgrade. */
export class Failure extends Component<{ children: ReactNode }, { error: Error | null }> {
  override state: { error: Error | null } = { error: null };

  static getDerivedStateFromError(error: Error) {
    return { error };
  }

  override componentDidCatch() {
    void checkForNewVersion();
  }

  override render() {
    return this.state.error ? <Failed error={this.state.error} /> : this.props.children;
  }
}

function Failed({ error }: { error: Error }) {
  const reload = () => location.reload();
  if (useNewVersion())
    return (
      <Page title="A new version is available" lead="The server was upgraded. Reload to use the new version.">
        <div>
          <Button kind="primary" onClick={reload}>
            Reload
          </Button>
        </div>
      </Page>
    );
  return (
    <Page title="Something went wrong">
      <Problem error={error} retry={reload} />
    </Page>
  );
}
