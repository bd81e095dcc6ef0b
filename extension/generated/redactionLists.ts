// Written by `cargo xtask codegen` from core/src/element/redaction/lists.rs. Do not edit.

export const WORDS: readonly string[] =
  "token secret passw passphrase apikey accesskey privatekey secretkey accountkey masterkey signingkey encryptionkey authkey signature credential credentials authorization csrf xsrf sessionid sessid".split(' ');

export const WORD_ENDS: readonly string[] =
  "ord d rd ordconfirm ordconfirmation value".split(' ');

export const PASSWORD_ENDS: readonly string[] =
  "pass pwd jwt".split(' ');

export const CODE_ENDS: readonly string[] =
  "otp pin cvv cvc passcode verificationcode securitycode onetimecode onetimepassword logincode signincode authcode accesscode resetcode recoverycode authenticationcode confirmationcode".split(' ');

export const MAYBE_ENDS: readonly string[] =
  "auth session sess sid sig hmac ticket invite magic oobcode".split(' ');

export const PARAMETERS: readonly string[] =
  "key sig sid code otp pin auth jwt pwd pass cvv cvc".split(' ');

export const FLAGS: readonly string[] =
  "true false null undefined none nil yes no on off auto enabled disabled required optional string password text hidden 0 1".split(' ');

export const FIELDS: readonly string[] =
  "passw cardnum ccnum cardcode cvv cvc securitycode onetimecode otpcode secret token csrf xsrf apikey ssn".split(' ');

export const PREFIXES: readonly string[] =
  "sk- sk_live_ sk_test_ pk_live_ pk_test_ rk_live_ rk_test_ whsec_ ghp_ gho_ ghu_ ghs_ ghr_ github_pat_ xoxa- xoxb- xoxc- xoxd- xoxe- xoxe. xoxp- xoxr- xoxs- xapp- glpat- gldt- glrt- glcbt- glptt- glft- glsoat- glimt- glagent- gloas- GR1348941 npm_ pypi- AKIA ASIA ABIA ACCA A3T AKCp AIza ya29. GOCSPX- 1//0 hf_ gsk_ xai- pplx- r8_ dop_v1_ doo_v1_ dor_v1_ shpat_ shpca_ shppa_ shpss_ sq0atp- sq0csp- EAAA SG. xkeysib- key- hvs. hvb. dp.pt. dp.st. dckr_pat_ dapi PMAK- rubygems_ lin_api_ figd_ ATATT3 ATBB NRAK- NRJS- sntrys_ sntryu_ phc_ phx_ sbp_ sb_secret_ pscale_ tskey- CFPAT- rzp_live_ rzp_test_ shippo_live_ EZAK FLWSECK sl. LTAI AKID ntn_ glsa_ glc_ CCIPAT_ nfp_ pcsk_ AGE-SECRET-KEY- secret_ tfp_ aio_ pat- cio bkua_ ops_ dG9r oy2 CLOJARS_ HRKU- pul- rdme_ shpit_ access- lsv2_ re_".split(' ');

export const HOOKS: readonly string[] =
  "hooks.slack.com/ /api/webhooks/ .office.com/webhook hooks.zapier.com/hooks/ telegram.org/bot /with/key/ .logic.azure.com/workflows/ hooks.airtable.com/ webhook.site/".split(' ');

export const LINKS: readonly string[] =
  "reset magic verif invit activat confirm unsubscri login signin auth passw recover token session share join secret otp sso accept".split(' ');
