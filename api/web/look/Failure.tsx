import { Component } from 'react';
import type { ReactNode } from 'react';
import { Page } from './Page.js';
import { Problem } from './Problem.js';

/** Shows a fault of the pages themselves, such as a part that no longer loads after an upgrade. */
export class Failure extends Component<{ children: ReactNode }, { error: Error | null }> {
  override state: { error: Error | null } = { error: null };

  static getDerivedStateFromError(error: Error) {
    return { error };
  }

  override render() {
    if (!this.state.error) return this.props.children;
    return (
      <Page title="This page failed">
        <Problem error={this.state.error} retry={() => location.reload()} />
      </Page>
    );
  }
}
