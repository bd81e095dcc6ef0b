/** True in test builds: shadow roots are open, every site is allowed. A constant of the build. */
declare const __TEST_BUILD__: boolean;
