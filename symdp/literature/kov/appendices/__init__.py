"""Appendices A and B: conversion of parameters, Gaussian noise."""
