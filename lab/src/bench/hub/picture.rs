//! Browsers, tabs and agents in the numbers that are measured: ten tabs a browser, and for every ten tabs a project
//! with its agent.

use anyhow::{Context as _, Result};

use super::agent::Agent;
use super::browser::{Browser, Tab};
use crate::clients::carrier::Carrier;
use crate::clients::world::World;

/// Tabs of one browser, and of one project.
const TABS: usize = 10;

pub(super) struct Picture {
    pub(super) browsers: Vec<Browser>,
    pub(super) agents: Vec<Agent>,
    sessions: usize,
}

impl Picture {
    pub(super) fn start(world: &World, carrier: Carrier, sessions: usize) -> Result<Self> {
        let groups = sessions.div_ceil(TABS);
        let agents = (0..groups).map(|number| Agent::start(world, number)).collect::<Result<_>>()?;
        let mut browsers = Vec::with_capacity(groups);
        for number in 0..groups {
            let browser = Browser::start(world, carrier, &format!("b{number}"))?;
            browser.choose(world, number)?;
            browsers.push(browser);
        }
        Ok(Self { browsers, agents, sessions })
    }

    /// Opens every tab.
    pub(super) fn tabs(&self) -> Result<Vec<Tab<'_>>> {
        let tab = |number: usize| {
            let browser = self.browsers.get(number / TABS).context("a browser for every ten tabs")?;
            browser.open(number / TABS, &format!("s_bench_{number}"))
        };
        (0..self.sessions).map(tab).collect()
    }

    /// Ends it, and fails when an agent has failed or a message was refused.
    pub(super) fn stop(self) -> Result<()> {
        for browser in self.browsers {
            if let Some(refused) = browser.refused() {
                anyhow::bail!("a message was refused: {refused}");
            }
            browser.close()?;
        }
        self.agents.into_iter().try_for_each(Agent::stop)
    }
}
