/** A picture that cannot be drawn must not take the report with it: its place says so, tables and words stay. */
import { Component, type ReactNode } from 'react';

export class ChartGuard extends Component<{ name: string; children: ReactNode }, { failed: boolean }> {
  override state = { failed: false };

  static getDerivedStateFromError(): { failed: boolean } {
    return { failed: true };
  }

  override render(): ReactNode {
    return this.state.failed ? <p role="note">“{this.props.name}”画不出来，数字见表。</p> : this.props.children;
  }
}
