import { Component } from 'react';

export class Clock extends Component {
  render() {
    return <time id="class">Open until six</time>;
  }
}
